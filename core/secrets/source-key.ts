import { createHmac, hkdfSync, randomBytes } from 'node:crypto'
import { SOURCE_KEY_PREFIX } from '#core/contract/leads/source.ts'

const KEY_BYTES = 32

/**
 * The key from which repeatable API keys of sources are derived, and nothing else.
 * @param secretsKey base64
 */
export function deriveSourceKeyKey(secretsKey: string): Buffer {
  return Buffer.from(
    hkdfSync('sha256', Buffer.from(secretsKey, 'base64'), '', 'leadwire source keys', KEY_BYTES),
  )
}

/**
 * Makes the API key of a new source; only its hash is stored. A request with an `Idempotency-Key` may be repeated, so
 * its key is derived from that and from the source: a repeat gets the same key.
 */
export function mintSourceKey(key: Buffer, sourceId: string, idempotencyKey: string | undefined): string {
  const bytes =
    idempotencyKey === undefined
      ? randomBytes(KEY_BYTES)
      : createHmac('sha256', key).update(`${sourceId}\n${idempotencyKey}`).digest()
  return SOURCE_KEY_PREFIX + bytes.toString('base64url')
}
