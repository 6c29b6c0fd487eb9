import { useRef } from 'react'

export interface IdempotencyKeys {
  /** The key of what is asked for here: the same for every press, until it is settled. */
  keyOf: (wish: string) => string
  /** Its answer has come. Whoever asks for it once more means another one. */
  settle: (wish: string) => void
}

/**
 * Keys that belong to what somebody wants, not to the press of a button: a press whose answer was lost may have been carried
 * out, and the next press must not do it a second time. They live as long as the screen that asks.
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
