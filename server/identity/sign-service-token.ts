import { SignJWT } from 'jose'
import type { SigningKeys } from './signing-keys.ts'

/** Signs a token that acts for the service itself; no policy limits it. @param now Unix seconds */
export async function signServiceToken(
  { signing }: SigningKeys,
  { issuer, days, now }: { issuer: string; days: number; now: number },
): Promise<string> {
  return await new SignJWT({ role: 'service_role' })
    .setProtectedHeader({ alg: signing.alg, typ: 'JWT', kid: signing.kid })
    .setIssuer(issuer)
    .setIssuedAt(now)
    .setExpirationTime(now + days * 86_400)
    .sign(signing.privateKey)
}
