import { randomUUID } from 'node:crypto'
import {
  decodeJwt,
  decodeProtectedHeader,
  errors,
  jwtVerify,
  SignJWT,
  type JWTPayload,
  type JWTVerifyOptions,
} from 'jose'
import type { AuthenticationMethod, Metadata } from '#core/data/schema/account-tables.ts'
import type { IdentityContext } from './identity-context.ts'

export const AUDIENCE = 'authenticated'
const WRONG_AUDIENCE = 'unexpected "aud" claim value'
/** The reason that a valid token of another issuer is refused. */
export const WRONG_ISSUER = 'unexpected "iss" claim value'

/** Values of the claim `role` that act for the service itself; such a token may lack every other claim. */
const ADMIN_ROLES = new Set(['service_role', 'supabase_admin'])

export interface TokenSubject {
  user: {
    id: string
    email: string | null
    phone: string | null
    role: string
    app_metadata: Metadata
    user_metadata: Metadata
    is_anonymous: boolean
  }
  session: { id: string; aal: string; amr: AuthenticationMethod[] }
  /** the account of others to which the person belongs */
  account?: string | undefined
}

/**
 * Signs the access token of a session. Its `role` is the wire's constant: the product's own role (client or
 * admin) is never read from a token. So are the claims about an account: they inform, and the database decides.
 * @param now Unix seconds
 */
export async function signAccessToken(
  context: Pick<IdentityContext, 'config' | 'identity'>,
  { user, session, account }: TokenSubject,
  now: number,
): Promise<{ access_token: string; expires_in: number; expires_at: number }> {
  const expiresIn = context.config.auth.tokenSeconds
  const { signing } = context.identity.keys
  const claims = {
    email: user.email ?? '',
    phone: user.phone ?? '',
    app_metadata: user.app_metadata,
    user_metadata: user.user_metadata,
    role: user.role,
    aal: session.aal,
    amr: session.amr,
    session_id: session.id,
    is_anonymous: user.is_anonymous,
    ...(account !== undefined && { account_id: account, member_user_id: user.id }),
  }
  const token = await new SignJWT(claims)
    .setProtectedHeader({ alg: signing.alg, typ: 'JWT', kid: signing.kid })
    .setIssuer(issuerOf(context))
    .setSubject(user.id)
    .setAudience(AUDIENCE)
    .setIssuedAt(now)
    .setExpirationTime(now + expiresIn)
    .setJti(randomUUID())
    .sign(signing.privateKey)
  return { access_token: token, expires_in: expiresIn, expires_at: now + expiresIn }
}

/** The claims of a valid token. `isService`: it acts for the service itself, not for a user. */
export interface TokenClaims {
  sub: string | undefined
  session_id: string | undefined
  aud: string | undefined
  role: string | undefined
  isService: boolean
  /** the row of a service key; undefined if it names none */
  service_key_id: string | undefined
}
export type VerifiedToken =
  | { ok: true; claims: TokenClaims }
  /** `audience`: a valid token, but for another audience */
  | { ok: false; fault: 'token' | 'audience'; reason: string }

/**
 * Checks signature, algorithm and time, and for a user's token issuer and audience too. Only the database
 * knows whether the session still lives.
 */
export async function verifyAccessToken(
  context: Pick<IdentityContext, 'config' | 'identity'>,
  token: string,
): Promise<VerifiedToken> {
  try {
    const { payload } = await verifyWithAnyKey(context, token)
    const isService = typeof payload['role'] === 'string' && ADMIN_ROLES.has(payload['role'])
    const fault = findNoText(payload) ?? (isService ? undefined : findFault(payload, issuerOf(context)))
    if (fault === undefined) return { ok: true, claims: readClaims(payload, isService) }
    return { ok: false, fault: fault === WRONG_AUDIENCE ? 'audience' : 'token', reason: fault }
  } catch (error) {
    if (error instanceof errors.JOSEError || error instanceof TypeError)
      return { ok: false, fault: 'token', reason: error.message }
    throw error
  }
}

/**
 * Verifies with the key that the token names, and only with that key's algorithm; if it names none, with each
 * key of its algorithm.
 * @throws JOSEError, or TypeError for a text that is no token
 */
export async function verifyWithAnyKey(
  context: Pick<IdentityContext, 'identity'>,
  token: string,
  claims: Pick<JWTVerifyOptions, 'issuer' | 'audience' | 'requiredClaims'> = {},
) {
  const { kid, alg } = decodeProtectedHeader(token)
  const named = context.identity.keys.all.filter(
    (key) => (kid === undefined || key.kid === kid) && key.alg === alg,
  )
  let failure: unknown = new errors.JWSSignatureVerificationFailed()
  for (const key of named) {
    try {
      return await jwtVerify(token, key.publicKey, { ...claims, algorithms: [key.alg] })
    } catch (error) {
      failure = error
    }
  }
  throw failure
}

/** RFC 7519 §4.1.2 requires `sub` to be text, but jose passes on any value. */
function findNoText(payload: Readonly<Record<string, unknown>>): string | undefined {
  const name = ['sub', 'session_id'].find((one) => !['string', 'undefined'].includes(typeof payload[one]))
  return name === undefined ? undefined : `"${name}" claim must be a string`
}

function findFault(payload: JWTPayload, issuer: string): string | undefined {
  if (payload.exp === undefined) return 'missing required "exp" claim'
  // An anonymous client key names neither; it belongs to nobody and has no `sub`.
  if (payload.sub === undefined) return undefined
  if (payload.iss !== issuer) return WRONG_ISSUER
  return payload.aud === AUDIENCE ? undefined : WRONG_AUDIENCE
}

function readClaims(payload: JWTPayload, isService: boolean): TokenClaims {
  const text = (name: string): string | undefined => {
    const value = payload[name]
    return typeof value === 'string' ? value : undefined
  }
  return {
    sub: payload.sub,
    session_id: text('session_id'),
    aud: typeof payload.aud === 'string' ? payload.aud : undefined,
    role: text('role'),
    isService,
    service_key_id: text('service_key_id'),
  }
}

/** The token of an `Authorization: Bearer …` header. */
export function readBearer(header: string | undefined): string | undefined {
  return /^Bearer +([^\s]+) *$/i.exec(header ?? '')?.[1]
}

/** Claim `iss` of our tokens: the service's address, also used for its links and its providers. */
export function issuerOf({ config }: Pick<IdentityContext, 'config'>): string {
  return `${config.http.apiUrl}${config.auth.mountPath}`
}

/**
 * When a verified token expires, in milliseconds since the epoch; undefined for one without an end, or
 * without a token.
 */
export function readExpiry(token: string | undefined): number | undefined {
  const { exp } = token === undefined ? {} : decodeJwt(token)
  return exp === undefined ? undefined : exp * 1000
}
