import { createHash, createHmac, hkdfSync, randomBytes, randomInt } from 'node:crypto'

/** docs/product.md §9, one-time code. */
export const CODE_DIGITS = 6
export const CODE_SECONDS = 300
export const MOST_WRONG_CODES = 3

/** Six digits, each as likely as the other. */
export function mintCode(): string {
  return String(randomInt(0, 10 ** CODE_DIGITS)).padStart(CODE_DIGITS, '0')
}

/** What a link carries: 224 random bits, in the wire's form (the client treats it as opaque). A PKCE flow is told by a prefix. */
export function mintLinkToken(isPkce: boolean): string {
  return `${isPkce ? 'pkce_' : ''}${randomBytes(28).toString('hex')}`
}

export function hashLinkToken(token: string): Buffer {
  return createHash('sha256').update(token).digest()
}

/** The key under which codes are kept; who has the table alone cannot try a million codes. @param secretsKey base64 */
export function deriveCodeKey(secretsKey: string): Buffer {
  return Buffer.from(hkdfSync('sha256', Buffer.from(secretsKey, 'base64'), '', 'leadwire one-time codes', 32))
}

/** Bound to whom it was sent, so that equal codes of two people have nothing in common. */
export function macCode(codeKey: Buffer, sentTo: string, code: string): Buffer {
  return createHmac('sha256', codeKey).update(`${sentTo}\n${code}`).digest()
}
