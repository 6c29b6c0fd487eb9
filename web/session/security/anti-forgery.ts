import { randomHex } from './random-hex.ts'

const KEY = 'csrf_token'
const BYTES = 32

/** docs/product.md §5, anti-forgery. */
export const VALIDATION_FAILED = 'Security validation failed'

/** What this page holds; the stored value must still be the same when a form is sent. */
let held: string | undefined

/** The token of this page; the stored one where a reload finds it (docs/product.md §3: 32 random bytes in hex). */
export function holdAntiForgeryToken() {
  held ??= readStored() ?? renewAntiForgeryToken()
  return held
}

/** Clears the token and makes a fresh one. */
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
