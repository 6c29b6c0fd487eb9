import { decodeJwt, type JWTPayload } from 'jose'
import { WRONG_ISSUER } from './access-token.ts'
import { actForAccount } from './act-for-account.ts'
import { identifyBearer } from './identify-bearer.ts'
import type { Principal } from './find-live-session.ts'
import type { IdentityContext } from './identity-context.ts'

/** Why a token is refused, with the names and texts of the client library's realtime service. */
export interface TokenRefusal {
  code: 'InvalidJWTToken' | 'MalformedJWT' | 'JwtSignatureError' | 'Unauthorized'
  message: string
}

/**
 * The verdict about a token that somebody listens with. `nobody`: a valid token of no user here, such as the app's public
 * key, which may connect and hears nothing.
 */
export type ListenerVerdict =
  | { state: 'nobody' }
  | { state: 'person'; principal: Principal; expiresAt: number }
  | { state: 'refused'; refusal: TokenRefusal }

/** Whether a text is meant as a token. Any other text is the app's public key, which only names the app. */
export function isToken(text: string): boolean {
  return /^eyJ|^[^.]*\.[^.]*\.[^.]*$/.test(text)
}

/**
 * THE answer to "who listens?". The principal acts for the account, and an agent only for own rows; which tables a role
 * may hear is the caller's question to {@link Principal.member_role}. Counts as activity of the session.
 */
export async function identifyListener(context: IdentityContext, token: string): Promise<ListenerVerdict> {
  if (!isToken(token)) return { state: 'nobody' }
  const fault = findFault(token, Date.now())
  if (fault !== undefined) return { state: 'refused', refusal: fault }
  const verdict = await identifyBearer(context, `Bearer ${token}`)
  switch (verdict.state) {
    case 'live': {
      if (verdict.principal.owes_factor)
        return unauthorized('This account has a second factor. Enter its code, then try again.')
      if (verdict.principal.member_role === 'none') return { state: 'nobody' }
      const principal = actForAccount(verdict.principal, 'figures')
      return { state: 'person', principal, expiresAt: (decodeJwt(token).exp ?? 0) * 1000 }
    }
    case 'no_subject':
    case 'bad_subject':
    case 'wrong_audience':
      return { state: 'nobody' }
    case 'bad_token':
      // Its signature is ours, but it was made for another service: it names no user here.
      if (verdict.reason === WRONG_ISSUER) return { state: 'nobody' }
      return refused('JwtSignatureError', 'Failed to validate JWT signature')
    case 'no_token':
      return refused('MalformedJWT', 'The token provided is not a valid JWT')
    case 'blocked':
      return unauthorized('This account is suspended.')
    default:
      return unauthorized('The session of this access token has ended.')
  }
}

/** The fault of a token that is plain without its signature. */
function findFault(token: string, now: number): TokenRefusal | undefined {
  let claims: JWTPayload
  try {
    claims = decodeJwt(token)
  } catch {
    return { code: 'MalformedJWT', message: 'The token provided is not a valid JWT' }
  }
  if (typeof claims.exp !== 'number' || typeof claims['role'] !== 'string')
    return { code: 'InvalidJWTToken', message: 'Fields `role` and `exp` are required in JWT' }
  return claims.exp * 1000 <= now ? { code: 'InvalidJWTToken', message: 'Token has expired' } : undefined
}

function refused(code: TokenRefusal['code'], message: string): ListenerVerdict {
  return { state: 'refused', refusal: { code, message } }
}

function unauthorized(message: string): ListenerVerdict {
  return refused('Unauthorized', message)
}
