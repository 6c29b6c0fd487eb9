import { AppError } from '#core/errors.ts'
import type { Principal, SessionVerdict } from './find-live-session.ts'
import { identifyBearer } from './identify-bearer.ts'
import type { IdentityContext } from './identity-context.ts'

export const SESSION_ENDED = 'The session of this access token has ended.'

/**
 * Resolves an `Authorization` header to a signed-in user, for the API.
 * @throws AppError unauthenticated (no token), invalid_token (bad, expired, signed out, account gone),
 * forbidden (blocked)
 */
export async function authenticate(
  context: IdentityContext,
  authorization: string | undefined,
): Promise<Principal> {
  const verdict = await identifyBearer(context, authorization)
  switch (verdict.state) {
    // The app's public key as a signed token means the same as no token: functions-js sends it if nobody is
    // signed in.
    case 'no_token':
    case 'no_subject':
      throw new AppError('unauthenticated', 'This request needs a bearer access token.')
    case 'bad_token':
    case 'wrong_audience':
    case 'bad_subject':
      throw new AppError('invalid_token', 'The access token is not valid or has expired.')
    default:
      return requireLive(verdict, SESSION_ENDED)
  }
}

/** @throws AppError invalid_token, with this text, or forbidden, unless the session lives */
export function requireLive(verdict: SessionVerdict, ended: string): Principal {
  switch (verdict.state) {
    case 'live':
      return verdict.principal
    case 'blocked':
      throw new AppError('forbidden', 'This account is suspended.')
    default:
      throw new AppError('invalid_token', ended)
  }
}
