import type { Metadata } from '#core/data/schema/account-tables.ts'
import { LARGEST_METADATA_BYTES } from '../auth-policy.ts'

/**
 * Adds a provider's words to a user's metadata. If they no longer fit they are left out: they must never lock
 * the owner out.
 */
export function mergeIfItFits(stored: Metadata, said: Metadata): Metadata {
  const merged = { ...stored, ...said }
  return Buffer.byteLength(JSON.stringify(merged)) > LARGEST_METADATA_BYTES ? stored : merged
}
