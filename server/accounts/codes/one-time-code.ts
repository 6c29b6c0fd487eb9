import { createHash, createHmac, randomBytes, randomInt, timingSafeEqual } from 'node:crypto'
import type { PurposeKeys } from '#core/secrets/derived-keys.ts'

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
 * The hash of a new code. It includes the recipient, so that equal codes of two people have different hashes.
 */
export function macCode(codeKeys: PurposeKeys, sentTo: string, code: string): Buffer {
  return macWith(codeKeys.current, sentTo, code)
}

/** The hashes that a typed code may have: SECRETS_KEY may have been rotated since the code was made. */
export function macsOfCode(codeKeys: PurposeKeys, sentTo: string, code: string): Buffer[] {
  return codeKeys.all.map((key) => macWith(key, sentTo, code))
}

/** Whether a stored hash is one of these. */
export function isOneOf(mac: Buffer, macs: readonly Buffer[]): boolean {
  return macs.some((one) => timingSafeEqual(one, mac))
}

function macWith(key: Buffer, sentTo: string, code: string): Buffer {
  return createHmac('sha256', key).update(`${sentTo}\n${code}`).digest()
}
