import { createHmac } from 'node:crypto'
import type { PurposeKeys } from './derived-keys.ts'

export type ContactKind = 'phone' | 'email'

/**
 * Hashes a phone or e-mail address in the form of the suppression list (docs/product.md §10).
 * @param contact as ingest normalises it: E.164, or the address in lower case
 * @returns 32 bytes each, HMAC-SHA256: first the hash for a new entry, then those under which older entries may be stored
 */
export function hashContact(keys: PurposeKeys, kind: ContactKind, contact: string): Buffer[] {
  return keys.all.map((key) => createHmac('sha256', key).update(`${kind}\n${contact}`).digest())
}
