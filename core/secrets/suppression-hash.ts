import { createHmac, hkdfSync } from 'node:crypto'

export type ContactKind = 'phone' | 'email'

/**
 * The key of the suppression list's hashes: without it, a thief of the table cannot try all phone numbers.
 * @param secretsKey base64
 */
export function deriveSuppressionKey(secretsKey: string): Buffer {
  return Buffer.from(
    hkdfSync('sha256', Buffer.from(secretsKey, 'base64'), '', 'leadwire suppression list', 32),
  )
}

/**
 * Hashes a phone or e-mail address in the form of the suppression list (docs/product.md §10).
 * @param contact as ingest normalises it: E.164, or the address in lower case
 * @returns 32 bytes, HMAC-SHA256
 */
export function hashContact(key: Buffer, kind: ContactKind, contact: string): Buffer {
  return createHmac('sha256', key).update(`${kind}\n${contact}`).digest()
}
