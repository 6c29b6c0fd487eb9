import { randomHex } from './random-hex.ts'

const KEY = 'csrf_token'
const BYTES = 32

/** Message of docs/product.md §5, anti-forgery. */
export const VALIDATION_FAILED = 'Security validation failed'

/** This page's token; the stored one must still be equal when a form is sent. */
let held: string | undefined

/**
 * Sets this page's token: the stored one after a reload, otherwise 32 random bytes in hex (docs/product.md
 * §3).
 */
export function holdAntiForgeryToken() {
  held ??= readStored() ?? renewAntiForgeryToken()
  return held
}

/** Replaces the token with a new one. */
export function renewAntiForgeryToken() {
  sessionStorage.removeItem(KEY)
  held = randomHex(BYTES)
  sessionStorage.setItem(KEY, held)
  return held
}

export function isTokenStored() {
  return holdAntiForgeryToken() === sessionStorage.getItem(KEY)
}

function readStored() {
  const stored = sessionStorage.getItem(KEY)
  return stored !== null && /^[0-9a-f]{64}$/.test(stored) ? stored : undefined
}
