import { calculateJwkThumbprint, importJWK, type CryptoKey, type JWK } from 'jose'
import { ConfigError, type Config } from '#core/config/config.ts'

export type SigningAlgorithm = 'ES256' | 'RS256' | 'HS256'

export interface SigningKey {
  alg: SigningAlgorithm
  kid: string
  /** signs; a symmetric key also verifies */
  privateKey: CryptoKey | Uint8Array
  publicKey: CryptoKey | Uint8Array
  /** the part that `/.well-known/jwks.json` shows; undefined for a symmetric key, which stays secret */
  publicJwk: JWK | undefined
}

/**
 * All keys whose tokens are valid; the first one signs. To rotate, put a new key in front, and remove the old
 * one when its tokens have expired.
 */
export interface SigningKeys {
  signing: SigningKey
  all: readonly SigningKey[]
}

/**
 * The keys of `AUTH_SIGNING_KEYS`, or the one of `JWT_PRIVATE_JWK`. They were checked when they were read
 * (core/config/signing-key-variables.ts). A key's id is its RFC 7638 thumbprint unless it has one.
 * @throws ConfigError if there is none
 */
export async function loadSigningKeys(config: Config): Promise<SigningKeys> {
  const { signingKeys, privateJwk } = config.auth
  const variable = signingKeys === undefined ? 'JWT_PRIVATE_JWK' : 'AUTH_SIGNING_KEYS'
  const jwks = (signingKeys ?? (privateJwk === undefined ? [] : [privateJwk])) as JWK[]
  const all = await Promise.all(jwks.map((jwk) => importKey(jwk, variable)))
  const [signing] = all
  if (signing === undefined)
    throw new ConfigError(['JWT_PRIVATE_JWK: is required; `npm start` brings its own'])
  return { signing, all }
}

async function importKey(jwk: JWK, variable: string): Promise<SigningKey> {
  const alg = jwk.kty === 'RSA' ? 'RS256' : jwk.kty === 'oct' ? 'HS256' : 'ES256'
  const kid = jwk.kid ?? (await calculateJwkThumbprint(jwk))
  try {
    if (alg === 'HS256') {
      const secret = Buffer.from(jwk.k ?? '', 'base64url')
      return { alg, kid, privateKey: secret, publicKey: secret, publicJwk: undefined }
    }
    const publicJwk: JWK = { ...publicPart(jwk), kid, alg, use: 'sig', key_ops: ['verify'] }
    const privateKey = await importJWK({ ...jwk, use: 'sig', key_ops: ['sign'] }, alg)
    const publicKey = await importJWK(publicJwk, alg)
    if (privateKey instanceof Uint8Array || publicKey instanceof Uint8Array)
      throw new TypeError('a symmetric key')
    return { alg, kid, privateKey, publicKey, publicJwk }
  } catch {
    // The cause is dropped on purpose: its message may quote the key.
    throw new ConfigError([`${variable}: must be a whole private ${alg} key`])
  }
}

/** Copies named members only, so that a private one can never slip through. */
function publicPart(jwk: JWK): JWK {
  if (jwk.kty === 'RSA') return { kty: 'RSA', n: jwk.n ?? '', e: jwk.e ?? '' }
  return { kty: 'EC', crv: 'P-256', x: jwk.x ?? '', y: jwk.y ?? '' }
}
