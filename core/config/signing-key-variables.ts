import { createHash, createPrivateKey } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { z } from 'zod'

const privateKey = z.looseObject({ kty: z.enum(['EC', 'RSA']), d: z.string().min(1) })
/** A key of AUTH_SIGNING_KEYS: private, asymmetric (ES256, RS256), or symmetric (HS256). */
const signingKey = z.union([
  privateKey,
  z.looseObject({ kty: z.literal('oct'), k: z.string().min(43, 'a symmetric key needs 256 bits') }),
])
type Jwk = z.infer<typeof signingKey>

/** `JWT_PRIVATE_JWK`: one asymmetric key. The value is a secret, and no reason quotes it. */
export const privateJwk = z.string().transform((value, ctx) => {
  const jwk = read(value, privateKey)
  const fault = jwk === undefined ? 'must be a private ES256 or RS256 key as a JSON Web Key' : judge(jwk)
  if (jwk !== undefined && fault === undefined) return jwk
  ctx.addIssue({ code: 'custom', message: fault ?? '' })
  return z.NEVER
})

/** `AUTH_SIGNING_KEYS`: several keys, in the value or in a file. */
export const signingKeys = z.string().transform((value, ctx) => {
  const jwks = readFrom(value)
  const faults =
    jwks === undefined
      ? ['must be a JSON array of private keys (EC P-256, RSA or oct JWKs), or a file that holds one']
      : [...jwks.flatMap((jwk) => judge(jwk) ?? []), ...findTwins(jwks)]
  if (jwks !== undefined && faults.length === 0) return jwks
  for (const message of new Set(faults)) ctx.addIssue({ code: 'custom', message })
  return z.NEVER
})

function read<Value>(text: string, schema: z.ZodType<Value>): Value | undefined {
  try {
    return schema.parse(JSON.parse(text))
  } catch {
    return undefined
  }
}

function readFrom(value: string): Jwk[] | undefined {
  const schema = z.array(signingKey).min(1)
  if (value.trimStart().startsWith('[')) return read(value, schema)
  try {
    return read(readFileSync(value, 'utf8'), schema)
  } catch {
    return undefined
  }
}

/** Finds out at the start whether a key cannot sign, and why. */
function judge(jwk: Jwk): string | undefined {
  if (jwk.kty === 'oct') return undefined
  if (jwk.kty === 'EC' && jwk['crv'] !== 'P-256') return 'an EC key must be on P-256'
  try {
    createPrivateKey({ key: jwk, format: 'jwk' })
    return undefined
  } catch {
    // The error's message may quote the key.
    return `must be a whole private ${jwk.kty === 'RSA' ? 'RS256' : 'ES256'} key`
  }
}

function findTwins(jwks: readonly Jwk[]): string[] {
  const ids = new Set(jwks.map(idOf))
  return ids.size < jwks.length ? ['two keys have the same id'] : []
}

/** The key's own id, or its thumbprint (RFC 7638 §3). */
function idOf(jwk: Jwk): unknown {
  const { kty, crv, x, y, e, n, k } = jwk as Record<string, unknown>
  const members = kty === 'EC' ? { crv, kty, x, y } : kty === 'RSA' ? { e, kty, n } : { k, kty }
  return jwk['kid'] ?? createHash('sha256').update(JSON.stringify(members)).digest('base64url')
}
