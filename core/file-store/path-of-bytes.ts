const SHA256 = /^[0-9a-f]{64}$/

/**
 * The path of bytes in a folder or bucket, `ab/cd/<hash>`, so that no folder has too many entries.
 * @throws TypeError if this is no SHA-256 in lower-case hex
 */
export function pathOfBytes(sha256: string): string {
  if (!SHA256.test(sha256)) throw new TypeError('A key of the file store is a SHA-256 in lower-case hex')
  return `${sha256.slice(0, 2)}/${sha256.slice(2, 4)}/${sha256}`
}
