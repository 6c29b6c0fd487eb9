import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import type { SealedColumn } from '../data/secrets/sealed-columns.ts'

const [UNNAMED, NAMED] = ['v1', 'v2']
const IV_BYTES = 12
const TAG_BYTES = 16

/**
 * Thrown if a sealed value cannot be opened: it has another key, or the row is damaged. It never contains the value.
 */
export class SealError extends Error {
  override readonly name = 'SealError'
}

/** Seals short secrets (signing secrets, custom header values) for the database. */
export interface SecretBox {
  /** @param column where the value will be stored; only columns of the list are sealed again when the key is rotated */
  seal: (column: SealedColumn, plain: string) => string
  /** @throws SealError if the value was sealed with a key that is not here, or is damaged */
  open: (sealed: string) => string
}

/**
 * A box of one key, whose values do not name it.
 * @param key 32 bytes in base64
 */
export function createSecretBox(key: string): SecretBox {
  const bytes = Buffer.from(key, 'base64')
  return {
    seal: (_column, plain) => sealValue(bytes, undefined, plain),
    open: (sealed) => {
      const { keyId, body } = readSealed(sealed)
      if (keyId !== undefined) throw new SealError('a sealed value names another key')
      return openBody(bytes, body)
    },
  }
}

/**
 * AES-256-GCM with a random nonce for each value. The text form is `v2.<id of the key>.<base64 of nonce, tag and
 * ciphertext>`, or `v1.<base64 …>`, which version 0.1.0 reads too.
 * @param key 32 bytes
 * @param keyId undefined: the value does not name its key
 */
export function sealValue(key: Buffer, keyId: string | undefined, plain: string): string {
  const iv = randomBytes(IV_BYTES)
  const cipher = createCipheriv('aes-256-gcm', key, iv)
  const text = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()])
  const body = Buffer.concat([iv, cipher.getAuthTag(), text]).toString('base64')
  return keyId === undefined ? `${UNNAMED}.${body}` : `${NAMED}.${keyId}.${body}`
}

/**
 * The key that a sealed value names; undefined if it names none.
 * @throws SealError for a text of another form
 */
export function readSealed(sealed: string): { keyId: string | undefined; body: string } {
  const [version, ...parts] = sealed.split('.')
  const [first, second] = parts
  if (version === UNNAMED && parts.length === 1 && first !== undefined)
    return { keyId: undefined, body: first }
  if (version === NAMED && parts.length === 2 && first !== undefined && second !== undefined)
    return { keyId: first, body: second }
  throw new SealError('a sealed value has an unknown form')
}

/** @throws SealError */
export function openBody(key: Buffer, body: string): string {
  const bytes = Buffer.from(body, 'base64')
  try {
    // The length is fixed; otherwise a cut value would be checked by a shorter tag.
    const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, IV_BYTES), {
      authTagLength: TAG_BYTES,
    })
    decipher.setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES))
    return decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES), undefined, 'utf8') + decipher.final('utf8')
  } catch (error) {
    throw new SealError('a sealed value does not open with this SECRETS_KEY', { cause: error })
  }
}
