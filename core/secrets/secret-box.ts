import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'

const VERSION = 'v1'
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
  seal: (plain: string) => string
  /** @throws SealError if the value was sealed with another key or is damaged */
  open: (sealed: string) => string
}

/**
 * AES-256-GCM with a random nonce for each value; the text form is `v1.<base64 of nonce, tag and ciphertext>`.
 * @param key 32 bytes in base64 (SECRETS_KEY)
 */
export function createSecretBox(key: string): SecretBox {
  const keyBytes = Buffer.from(key, 'base64')
  return {
    seal: (plain) => {
      const iv = randomBytes(IV_BYTES)
      const cipher = createCipheriv('aes-256-gcm', keyBytes, iv)
      const text = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()])
      return `${VERSION}.${Buffer.concat([iv, cipher.getAuthTag(), text]).toString('base64')}`
    },
    open: (sealed) => {
      const [version, body, rest] = sealed.split('.')
      if (version !== VERSION || body === undefined || rest !== undefined)
        throw new SealError('a sealed value has an unknown form')
      const bytes = Buffer.from(body, 'base64')
      try {
        // The length is fixed; otherwise a cut value would be checked by a shorter tag.
        const decipher = createDecipheriv('aes-256-gcm', keyBytes, bytes.subarray(0, IV_BYTES), {
          authTagLength: TAG_BYTES,
        })
        decipher.setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES))
        return (
          decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES), undefined, 'utf8') + decipher.final('utf8')
        )
      } catch (error) {
        throw new SealError('a sealed value does not open with this SECRETS_KEY', { cause: error })
      }
    },
  }
}
