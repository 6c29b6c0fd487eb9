import { decodeJwt, exportJWK, generateKeyPair, SignJWT, UnsecuredJWT, type JWTPayload } from 'jose'
import type { AuthServer } from '../wire/start-auth-server.ts'

/** Reads a token's claims without checking its signature. */
export function claimsOf(token: string): JWTPayload {
  return decodeJwt(token)
}

/** Signs claims with the service's key. */
export function signAt(server: AuthServer, claims: JWTPayload): Promise<string> {
  const { alg, kid, privateKey } = server.context.identity.keys.signing
  return new SignJWT(claims).setProtectedHeader({ alg, kid, typ: 'JWT' }).sign(privateKey)
}

/** Returns the token with one fault. */
export async function forgeAt(server: AuthServer, fault: string, token: string): Promise<string> {
  const claims = claimsOf(token)
  const { kid } = server.context.identity.keys.signing
  switch (fault) {
    case 'wrong key': {
      const { privateKey } = await generateKeyPair('ES256')
      return await new SignJWT(claims).setProtectedHeader({ alg: 'ES256', kid }).sign(privateKey)
    }
    case 'alg none':
      return new UnsecuredJWT(claims).encode()
    case 'HS256 with the public key': {
      const secret = new TextEncoder().encode(
        JSON.stringify(await exportJWK(server.context.identity.keys.signing.publicKey)),
      )
      return await new SignJWT(claims).setProtectedHeader({ alg: 'HS256', kid }).sign(secret)
    }
    case 'expired':
      return await signAt(server, {
        ...claims,
        iat: Math.floor(Date.now() / 1000) - 3601,
        exp: Math.floor(Date.now() / 1000) - 1,
      })
    case 'other issuer':
      return await signAt(server, { ...claims, iss: 'https://elsewhere.example.com/auth/v1' })
    case 'other audience':
      return await signAt(server, { ...claims, aud: 'anon' })
    default:
      return token.slice(0, -8)
  }
}
