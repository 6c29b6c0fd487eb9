import { randomUUID } from 'node:crypto'
import { errors, jwtVerify, SignJWT } from 'jose'
import type { AuthenticationMethod, Metadata } from '#core/data/auth-tables.ts'
import type { AuthContext } from './auth-context.ts'
import { ACCESS_TOKEN_SECONDS } from './auth-policy.ts'

const AUDIENCE = 'authenticated'

export interface TokenSubject {
  user: {
    id: string
    email: string | null
    app_metadata: Metadata
    user_metadata: Metadata
    is_anonymous: boolean
  }
  session: { id: string; aal: string; amr: AuthenticationMethod[] }
}

/**
 * Signs the access token of a session. Its `role` is the wire's constant: the product's own role (client or admin) is
 * never read from a token.
 * @param now Unix seconds
 */
export async function signAccessToken(
  context: AuthContext,
  { user, session }: TokenSubject,
  now: number,
): Promise<{ access_token: string; expires_at: number }> {
  const expiresAt = now + ACCESS_TOKEN_SECONDS
  const claims = {
    email: user.email ?? '',
    phone: '',
    app_metadata: user.app_metadata,
    user_metadata: user.user_metadata,
    role: AUDIENCE,
    aal: session.aal,
    amr: session.amr,
    session_id: session.id,
    is_anonymous: user.is_anonymous,
  }
  const token = await new SignJWT(claims)
    .setProtectedHeader({ alg: context.keys.alg, typ: 'JWT', kid: context.keys.kid })
    .setIssuer(issuer(context))
    .setSubject(user.id)
    .setAudience(AUDIENCE)
    .setIssuedAt(now)
    .setExpirationTime(expiresAt)
    .setJti(randomUUID())
    .sign(context.keys.privateKey)
  return { access_token: token, expires_at: expiresAt }
}

export type VerifiedToken =
  { ok: true; sub: string | undefined; session_id: string | undefined } | { ok: false; reason: string }

/** Checks signature, algorithm, issuer, audience and time. Whether the session still lives is the database's to say. */
export async function verifyAccessToken(context: AuthContext, token: string): Promise<VerifiedToken> {
  try {
    const { payload } = await jwtVerify(token, context.keys.publicKey, {
      algorithms: [context.keys.alg],
      issuer: issuer(context),
      audience: AUDIENCE,
      requiredClaims: ['exp'],
    })
    const sessionId = payload['session_id']
    return { ok: true, sub: payload.sub, session_id: typeof sessionId === 'string' ? sessionId : undefined }
  } catch (error) {
    if (error instanceof errors.JOSEError) return { ok: false, reason: error.message }
    throw error
  }
}

/** The token of an `Authorization: Bearer …` header. */
export function readBearer(header: string | undefined): string | undefined {
  return /^Bearer +([^\s]+) *$/i.exec(header ?? '')?.[1]
}

function issuer(context: AuthContext): string {
  return `${context.config.http.publicUrl}/auth/v1`
}
