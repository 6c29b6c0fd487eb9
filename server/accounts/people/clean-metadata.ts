import type { Metadata } from '#core/data/schema/account-tables.ts'
import { validationFailed } from '../wire/auth-error.ts'
import { refuseUnfitText } from '../wire/refuse-unfit-text.ts'
import { LARGEST_METADATA_BYTES } from '../auth-policy.ts'

/** Merges an update into stored metadata: a null member deletes its key. @throws AuthError when the result cannot be kept */
export function mergeMetadata(stored: Metadata, update: Metadata): Metadata {
  const merged = Object.fromEntries(
    Object.entries({ ...stored, ...update }).filter(([, value]) => value !== null),
  )
  refuseUnfitMetadata(merged)
  return merged
}

/** @throws AuthError when a text of it cannot be stored, or it is too large to travel in a token */
export function refuseUnfitMetadata(metadata: Metadata): void {
  // First, for then it is not nested too deep to be looked through either.
  if (Buffer.byteLength(JSON.stringify(metadata)) > LARGEST_METADATA_BYTES)
    throw validationFailed(`User data is too large (max ${LARGEST_METADATA_BYTES} bytes)`)
  refuseUnfitText(metadata)
}
