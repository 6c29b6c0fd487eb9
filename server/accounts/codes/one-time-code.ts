import { createHash, createHmac, hkdfSync, randomBytes, randomInt } from 'node:crypto'

/** docs/product.md §9, one-time code. */
export const CODE_DIGITS = 6
export const CODE_SECONDS = 300
export const MOST_WRONG_CODES = 3

/** Draws six digits, each equally likely. */
export function mintCode(): string {
  return String(randomInt(0, 10 ** CODE_DIGITS)).padStart(CODE_DIGITS, '0')
}

/**
 * The token of a link: 224 random bits in the wire's form (opaque to the client). A prefix marks a PKCE flow.
 */
export function mintLinkToken(isPkce: boolean): string {
  return `${isPkce ? 'pkce_' : ''}${randomBytes(28).toString('hex')}`
}

export function hashLinkToken(token: string): Buffer {
  return createHash('sha256').update(token).digest()
}

/**
 * Derives the key under which codes are stored. Without it, a copy of the table does not let anybody try all
 * million codes.
 * @param secretsKey base64
 */
export function deriveCodeKey(secretsKey: string): Buffer {
  return Buffer.from(hkdfSync('sha256', Buffer.from(secretsKey, 'base64'), '', 'leadwire one-time codes', 32))
}

/** The hash includes the recipient, so that equal codes of two people have different hashes. */
export function macCode(codeKey: Buffer, sentTo: string, code: string): Buffer {
  return createHmac('sha256', codeKey).update(`${sentTo}\n${code}`).digest()
}
