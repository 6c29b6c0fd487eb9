import { SignJWT } from 'jose'
import type { SigningKeys } from './signing-keys.ts'

/**
 * Signs a token that acts for the service itself; no policy limits it.
 * @param of.keyId its row in the list of keys; left out: it can only be revoked with all others that name none
 * @param of.now Unix seconds
 */
export async function signServiceToken(
  { signing }: SigningKeys,
  { issuer, days, now, keyId }: { issuer: string; days: number; now: number; keyId?: string },
): Promise<string> {
  return await new SignJWT({ role: 'service_role', ...(keyId !== undefined && { service_key_id: keyId }) })
    .setProtectedHeader({ alg: signing.alg, typ: 'JWT', kid: signing.kid })
    .setIssuer(issuer)
    .setIssuedAt(now)
    .setExpirationTime(now + days * 86_400)
    .sign(signing.privateKey)
}
