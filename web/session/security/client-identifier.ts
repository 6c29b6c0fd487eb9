import { randomHex } from './random-hex.ts'

const KEY = 'client_id'

/**
 * Returns a random id of this browser session for limits and events (docs/product.md §3); it says nothing
 * about the user.
 */
export function readClientIdentifier() {
  const kept = sessionStorage.getItem(KEY)
  if (kept !== null && /^[0-9a-f]{32}$/.test(kept)) return kept
  const made = randomHex(16)
  sessionStorage.setItem(KEY, made)
  return made
}
