import { createPrivateKey, createPublicKey, hkdfSync, sign, type KeyObject } from 'node:crypto'

const PUBLIC_PREFIX = 'whpk_'
const SEED_BYTES = 32
/** RFC 8410 §7: everything of a PKCS #8 private key before the 32 bytes of the key itself. */
const PKCS8_HEAD = Buffer.from('302e020100300506032b657004220420', 'hex')

/**
 * The Ed25519 key of one webhook. Each webhook has its own: under one key for all, a client could have a payload of his
 * own signed, and pass it on to the endpoint of another (Standard Webhooks, 'Additional considerations').
 * @param seed 32 bytes, the installation's secret
 */
export function deriveSigningKey(seed: Buffer, webhookId: string): KeyObject {
  const secret = hkdfSync('sha256', seed, '', `leadwire webhook ${webhookId.toLowerCase()}`, SEED_BYTES)
  const key = Buffer.concat([PKCS8_HEAD, Buffer.from(secret)])
  return createPrivateKey({ key, format: 'der', type: 'pkcs8' })
}

/** The public key of a private one, as receivers are given it: `whpk_` and base64. */
export function writePublicKey(key: KeyObject): string {
  const spki = createPublicKey(key).export({ format: 'der', type: 'spki' })
  return PUBLIC_PREFIX + spki.subarray(-SEED_BYTES).toString('base64')
}

/**
 * Ed25519 signatures of Standard Webhooks: `v1a,<base64>` over `id.timestamp.body`, one for each key.
 * @param timestamp whole seconds since the epoch
 * @param body exactly the bytes that are sent
 */
export function signAsymmetric(
  keys: readonly KeyObject[],
  id: string,
  timestamp: number,
  body: string,
): string[] {
  const said = Buffer.from(`${id}.${timestamp}.${body}`)
  return keys.map((key) => `v1a,${sign(null, said, key).toString('base64')}`)
}
