import { createHmac, hkdfSync, randomBytes } from 'node:crypto'
import { SOURCE_KEY_PREFIX } from '#core/contract/leads/source.ts'

const KEY_BYTES = 32

/** The key that API keys of sources are made with which somebody may ask for twice, and nothing else. @param secretsKey base64 */
export function deriveSourceKeyKey(secretsKey: string): Buffer {
  return Buffer.from(
    hkdfSync('sha256', Buffer.from(secretsKey, 'base64'), '', 'leadwire source keys', KEY_BYTES),
  )
}

/**
 * The API key of a new source. Kept is only its hash, so where the request may be repeated, because it carries an `Idempotency-Key`, the
 * key is made of it and of the source: who repeats it is told the same.
 */
export function mintSourceKey(key: Buffer, sourceId: string, idempotencyKey: string | undefined): string {
  const bytes =
    idempotencyKey === undefined
      ? randomBytes(KEY_BYTES)
      : createHmac('sha256', key).update(`${sourceId}\n${idempotencyKey}`).digest()
  return SOURCE_KEY_PREFIX + bytes.toString('base64url')
}
