import type { Metadata } from '#core/data/schema/account-tables.ts'
import { validationFailed } from '../wire/auth-error.ts'
import { refuseUnfitText } from '../wire/refuse-unfit-text.ts'
import { LARGEST_METADATA_BYTES } from '../auth-policy.ts'

/**
 * Merges an update into stored metadata: a null member deletes its key.
 * @throws AuthError if the result cannot be stored
 */
export function mergeMetadata(stored: Metadata, update: Metadata): Metadata {
  const merged = Object.fromEntries(
    Object.entries({ ...stored, ...update }).filter(([, value]) => value !== null),
  )
  refuseUnfitMetadata(merged)
  return merged
}

/** @throws AuthError if a text cannot be stored, or the metadata is too large for a token */
export function refuseUnfitMetadata(metadata: Metadata): void {
  // The size is checked first: small metadata cannot be nested too deep to look through.
  if (Buffer.byteLength(JSON.stringify(metadata)) > LARGEST_METADATA_BYTES)
    throw validationFailed(`User data is too large (max ${LARGEST_METADATA_BYTES} bytes)`)
  refuseUnfitText(metadata)
}
