import { useRef } from 'react'

export interface IdempotencyKeys {
  /** Returns the key of a request: the same for every press, until `settle` is called. */
  keyOf: (wish: string) => string
  /** Ends a key after the answer has come; the same request then gets a new key. */
  settle: (wish: string) => void
}

/**
 * Makes an idempotency key for each request, not for each press of a button. If an answer is lost, the
 * request may have been carried out, and the next press must not repeat it. The keys live as long as the
 * screen.
 */
export function useIdempotencyKeys(): IdempotencyKeys {
  const keys = useRef(new Map<string, string>())
  return {
    keyOf: (wish) => {
      const key = keys.current.get(wish) ?? crypto.randomUUID()
      keys.current.set(wish, key)
      return key
    },
    settle: (wish) => {
      keys.current.delete(wish)
    },
  }
}
