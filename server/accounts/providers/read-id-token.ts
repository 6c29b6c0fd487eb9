import { createHash, timingSafeEqual } from 'node:crypto'
import { decodeJwt, errors, jwtVerify, type JWTPayload } from 'jose'
import { describeError } from '#core/telemetry/describe-error.ts'
import type { AuthContext } from '../auth-context.ts'
import { AuthError, oauthError, validationFailed } from '../wire/auth-error.ts'
import { issuerOfName } from './locate-provider.ts'
import type { OAuthProvider } from './open-providers.ts'
import type { Claims } from './read-oidc-person.ts'

/** The tokens that the app got from the provider's own library. */
export interface IdTokenGiven {
  provider: string
  id_token: string
  access_token: string
  nonce: string
}

const ALGORITHMS = ['RS256', 'RS384', 'RS512', 'PS256', 'ES256', 'ES384', 'EdDSA']
const CLOCK_SKEW_SECONDS = 30
/** jose could not fetch or parse the provider's keys: no fault of the token. */
const KEYS_AWAY = new Set(['ERR_JOSE_GENERIC', 'ERR_JWKS_TIMEOUT', 'ERR_JWKS_INVALID'])

/** @throws AuthError provider_disabled, or validation_failed for a name without an OpenID issuer */
export function findIssuer(context: Pick<AuthContext, 'accounts'>, given: IdTokenGiven): OAuthProvider {
  const provider = context.accounts.providers.get(given.provider)
  if (provider?.place.kind === 'oidc') return provider
  const issuer = issuerOfName(given.provider)
  if (issuer === undefined)
    throw validationFailed(`Custom OIDC provider "${given.provider.slice(0, 40)}" not allowed`)
  throw new AuthError(400, 'provider_disabled', `Provider (issuer "${issuer}") is not enabled`)
}

/**
 * Checks an id token as OpenID Connect Core §3.1.3.7 asks: signature, issuer, audience, time, and the nonce
 * if either side has one. The token holds the nonce's SHA-256, so that a copy of the token alone is useless.
 * @throws AuthError in OAuth's form
 */
export async function readIdToken(
  context: Pick<AuthContext, 'logger'>,
  provider: OAuthProvider,
  given: IdTokenGiven,
): Promise<Claims & { exp: number }> {
  const payload = await verify(context, provider, given.id_token)
  const { sub, exp } = payload
  if (typeof sub !== 'string' || sub === '')
    throw oauthError('invalid request', 'Missing sub claim in id_token')
  const audiences = [payload.aud ?? []].flat()
  const { settings } = provider
  const accepted = [settings.client_id, ...settings.audiences]
  if (!audiences.some((audience) => accepted.includes(audience))) {
    const named = JSON.stringify(audiences).slice(0, 200)
    throw oauthError('invalid request', `Unacceptable audience in id_token: ${named}`)
  }
  if (!settings.skip_nonce_check) checkNonce(payload['nonce'], given.nonce)
  checkAccessToken(payload['at_hash'], given.access_token)
  return { ...payload, sub, exp: exp ?? 0 }
}

async function verify(
  context: Pick<AuthContext, 'logger'>,
  provider: OAuthProvider,
  token: string,
): Promise<JWTPayload> {
  try {
    // A text that is no token at all is refused without asking the provider.
    decodeJwt(token)
    const issuer = (await provider.connect()).serverMetadata().issuer
    const { payload } = await jwtVerify(token, await provider.keys(), {
      algorithms: ALGORITHMS,
      clockTolerance: CLOCK_SKEW_SECONDS,
      requiredClaims: ['exp', 'iat'],
    })
    // Microsoft's common issuer stands for the issuers of all tenants.
    const { tid } = payload
    const expected = typeof tid === 'string' ? issuer.replace('{tenantid}', tid) : issuer
    if (payload.iss !== expected)
      throw new errors.JWTClaimValidationFailed('unexpected issuer', payload, 'iss')
    return payload
  } catch (error) {
    const failure = describeError(error)
    context.logger.warn({ provider: provider.name, failure }, 'an id token was refused')
    if (error instanceof errors.JOSEError && !KEYS_AWAY.has(error.code))
      throw oauthError('invalid request', 'Bad ID token')
    const message = `Provider ${provider.name} cannot be reached at the moment, please try again later`
    throw oauthError('server_error', message)
  }
}

function checkNonce(inToken: unknown, given: string): void {
  const named = typeof inToken === 'string' ? inToken : ''
  if ((named === '') !== (given === '')) {
    const message = 'Passed nonce and nonce in id_token should either both exist or not.'
    throw oauthError('invalid request', message)
  }
  if (given === '') return
  const [a, b] = [Buffer.from(createHash('sha256').update(given).digest('hex')), Buffer.from(named)]
  if (a.length !== b.length || !timingSafeEqual(a, b)) throw oauthError('invalid nonce', 'Nonces mismatch')
}

/**
 * An access token sent along must be the one that was issued with the id token (OpenID Connect Core
 * §3.2.2.9).
 */
function checkAccessToken(atHash: unknown, accessToken: string): void {
  if (typeof atHash !== 'string' || accessToken === '') return
  const digest = createHash('sha256').update(accessToken).digest()
  if (digest.subarray(0, digest.length / 2).toString('base64url') !== atHash)
    throw oauthError('invalid request', 'Bad ID token')
}
