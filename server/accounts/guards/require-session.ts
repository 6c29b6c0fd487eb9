import type { Principal } from '#server/identity/find-live-session.ts'
import { identifyBearer, type BearerVerdict } from '#server/identity/identify-bearer.ts'
import type { IdentityContext } from '#server/identity/identity-context.ts'
import { AuthError, sessionNotFound, userBanned, userGone, validationFailed } from '../wire/auth-error.ts'

/** The bearer of a live session; otherwise the wire's refusal. */
export async function requireSession(
  context: IdentityContext,
  authorization: string | undefined,
): Promise<Principal> {
  return requireLive(await identifyBearer(context, authorization))
}

/** @throws AuthError the wire's refusal if the bearer has no live session */
export function requireLive(verdict: BearerVerdict): Principal {
  switch (verdict.state) {
    case 'live':
      return verdict.principal
    case 'no_token':
      throw new AuthError(401, 'no_authorization', 'This endpoint requires a valid Bearer token')
    case 'wrong_audience':
      throw validationFailed("Token audience doesn't match request audience")
    case 'bad_token': {
      const message = `invalid JWT: unable to parse or verify signature, ${verdict.reason}`
      throw new AuthError(403, 'bad_jwt', message)
    }
    case 'no_subject':
      throw new AuthError(403, 'bad_jwt', 'invalid claim: missing sub claim')
    case 'bad_subject':
      throw new AuthError(400, 'bad_jwt', 'invalid claim: sub claim must be a UUID')
    case 'no_user':
      throw userGone()
    case 'ended':
    case 'rested':
      throw sessionNotFound()
    case 'blocked':
      throw userBanned()
  }
}
