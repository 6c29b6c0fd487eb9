import { randomBytes } from 'node:crypto'
import { exportJWK, generateKeyPair } from 'jose'

/** New keys, in the form of the variables of docs/contract.md §2. */
export async function makeKeys(): Promise<Record<'JWT_PRIVATE_JWK' | 'SECRETS_KEY', string>> {
  const { privateKey } = await generateKeyPair('ES256', { extractable: true })
  return {
    JWT_PRIVATE_JWK: JSON.stringify(await exportJWK(privateKey)),
    SECRETS_KEY: randomBytes(32).toString('base64'),
  }
}
