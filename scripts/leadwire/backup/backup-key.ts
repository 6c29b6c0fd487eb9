import { hkdfSync } from 'node:crypto'

/** The key that signs manifests, derived from a key of SECRETS_KEY: 32 bytes, HKDF with SHA-256. */
export function deriveKey(key: Buffer): Buffer {
  return Buffer.from(hkdfSync('sha256', key, '', 'leadwire backups', 32))
}

/** The short name of a key. It reveals nothing of the key. */
export function nameKey(key: Buffer): string {
  return Buffer.from(hkdfSync('sha256', key, '', 'leadwire key id', 4)).toString('hex')
}
