import { calculateJwkThumbprint, importJWK, type CryptoKey, type JWK } from 'jose'
import type { Kysely } from 'kysely'
import { ConfigError, type Config } from '#core/config.ts'
import type { Database } from '#core/data/tables.ts'
import type { Logger } from '#core/logger.ts'

/** What the authentication service needs; the server's own context satisfies it. */
export interface AuthContext {
  config: Config
  db: Kysely<Database>
  logger: Logger
  keys: SigningKeys
}

export interface SigningKeys {
  alg: 'ES256' | 'RS256'
  kid: string
  privateKey: CryptoKey
  publicKey: CryptoKey
  /** what `/.well-known/jwks.json` shows */
  publicJwk: JWK
}

/**
 * The key pair that signs and verifies access tokens, from `JWT_PRIVATE_JWK`. The key's id is its RFC 7638 thumbprint
 * unless it brings one.
 * @throws ConfigError when the key is missing or fits neither ES256 nor RS256
 */
export async function loadSigningKeys(config: Config): Promise<SigningKeys> {
  const jwk = config.auth.privateJwk as JWK | undefined
  if (jwk === undefined) throw new ConfigError(['JWT_PRIVATE_JWK: is required; `npm start` brings its own'])
  const alg = jwk.kty === 'RSA' ? 'RS256' : 'ES256'
  if (alg === 'ES256' && jwk.crv !== 'P-256')
    throw new ConfigError(['JWT_PRIVATE_JWK: an EC key must be on P-256'])
  const kid = jwk.kid ?? (await calculateJwkThumbprint(jwk))
  const publicJwk: JWK = { ...publicPart(jwk), kid, alg, use: 'sig', key_ops: ['verify'] }
  try {
    const privateKey = await importJWK({ ...jwk, use: 'sig', key_ops: ['sign'] }, alg)
    const publicKey = await importJWK(publicJwk, alg)
    if (privateKey instanceof Uint8Array || publicKey instanceof Uint8Array)
      throw new TypeError('a symmetric key')
    return { alg, kid, privateKey, publicKey, publicJwk }
  } catch {
    // The cause is dropped on purpose: what it says may quote the key.
    throw new ConfigError([`JWT_PRIVATE_JWK: must be a whole private ${alg} key`])
  }
}

/** Named members only, so that a private one can never slip through. */
function publicPart(jwk: JWK): JWK {
  if (jwk.kty === 'RSA') return { kty: 'RSA', n: jwk.n ?? '', e: jwk.e ?? '' }
  return { kty: 'EC', crv: 'P-256', x: jwk.x ?? '', y: jwk.y ?? '' }
}
