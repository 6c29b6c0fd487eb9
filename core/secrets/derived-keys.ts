import { hkdfSync } from 'node:crypto'

/**
 * Keys derived from a key of SECRETS_KEY, each for one purpose. `isKept`: what was made with it is stored as a hash, or
 * lies in a mail, and cannot be made again; so the derived key is stored, sealed by the newest key, and outlives the key
 * that it comes from.
 */
export const PURPOSES = {
  /** hashes of the suppression list: without it, a thief of the table cannot try all phone numbers */
  suppressions: { label: 'leadwire suppression list', isKept: true },
  /** hashes of one-time codes and recovery codes: a copy of the table does not let anybody try all codes */
  codes: { label: 'leadwire one-time codes', isKept: true },
  /** signs links that end a kind of mail */
  unsubscribe: { label: 'leadwire unsubscribe', isKept: true },
  /** signs the cookies of known browsers */
  devices: { label: 'leadwire known devices', isKept: false },
  /** signs links to posting specifications */
  posting_specs: { label: 'leadwire posting specs', isKept: false },
  /** signs the addresses to which CRMs post outcomes of leads */
  outcomes: { label: 'leadwire outcomes', isKept: true },
  /** makes API keys of sources that a repeated request gets again */
  source_keys: { label: 'leadwire source keys', isKept: false },
} as const

export type Purpose = keyof typeof PURPOSES

/** The keys of one purpose. New hashes and tokens are made with `current`, and valid under each of `all`. */
export interface PurposeKeys {
  readonly current: Buffer
  /** the current key, then older ones */
  readonly all: readonly Buffer[]
}

/** @param key 32 bytes @returns 32 bytes, HKDF with SHA-256 */
export function deriveKey(key: Buffer, purpose: Purpose): Buffer {
  return Buffer.from(hkdfSync('sha256', key, '', PURPOSES[purpose].label, 32))
}

/** The short name by which sealed values and operators know a key. It reveals nothing of the key. */
export function nameKey(key: Buffer): string {
  return Buffer.from(hkdfSync('sha256', key, '', 'leadwire key id', 4)).toString('hex')
}
