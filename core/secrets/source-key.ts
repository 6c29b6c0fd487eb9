import { createHmac, randomBytes } from 'node:crypto'
import { SOURCE_KEY_PREFIX } from '#core/contract/leads/source.ts'
import type { PurposeKeys } from './derived-keys.ts'

const KEY_BYTES = 32

/**
 * Makes the API key of a new source; only its hash is stored. A request with an `Idempotency-Key` may be repeated, so
 * its key is derived from that and from the source: a repeat gets the same key.
 */
export function mintSourceKey(
  keys: PurposeKeys,
  sourceId: string,
  idempotencyKey: string | undefined,
): string {
  return idempotencyKey === undefined
    ? SOURCE_KEY_PREFIX + randomBytes(KEY_BYTES).toString('base64url')
    : deriveSourceKey(keys.current, sourceId, idempotencyKey)
}

/** The keys that an earlier request with this `Idempotency-Key` may have got: SECRETS_KEY may have been rotated since. */
export function mintAgain(keys: PurposeKeys, sourceId: string, idempotencyKey: string): string[] {
  return keys.all.map((key) => deriveSourceKey(key, sourceId, idempotencyKey))
}

function deriveSourceKey(key: Buffer, sourceId: string, idempotencyKey: string): string {
  const bytes = createHmac('sha256', key).update(`${sourceId}\n${idempotencyKey}`).digest()
  return SOURCE_KEY_PREFIX + bytes.toString('base64url')
}
