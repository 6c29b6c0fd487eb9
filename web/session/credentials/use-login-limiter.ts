import { useEffect, useState } from 'react'
import { readLimiter, writeLimiter } from './limiter-store.ts'
import { blockedMessage, blockRemaining, NO_FAILURES, recordFailure } from './login-limiter.ts'

/** Refuses after too many failures, and says so until the block ends. */
export function useLoginLimiter() {
  const [blockedUntil, setBlockedUntil] = useState(
    () => Date.now() + blockRemaining(readLimiter(), Date.now()),
  )
  const [isRateLimited, setRateLimited] = useState(() => blockedUntil > Date.now())

  useEffect(() => {
    if (!isRateLimited) return
    const timer = setTimeout(() => setRateLimited(false), Math.max(0, blockedUntil - Date.now()))
    return () => clearTimeout(timer)
  }, [isRateLimited, blockedUntil])

  function flag(remainingMs: number) {
    setBlockedUntil(Date.now() + remainingMs)
    setRateLimited(remainingMs > 0)
  }

  return {
    isRateLimited,
    /** The message to show instead of asking the service; null when nothing is blocked. */
    refusal() {
      const remaining = blockRemaining(readLimiter(), Date.now())
      flag(remaining)
      return remaining > 0 ? blockedMessage(remaining) : null
    },
    failed() {
      const state = recordFailure(readLimiter(), Date.now())
      writeLimiter(state)
      flag(blockRemaining(state, Date.now()))
    },
    /** The service blocks one account here. It is asked again at each try: other accounts are free to sign in. */
    blockedFor(ms: number) {
      flag(ms)
      return blockedMessage(ms)
    },
    succeeded() {
      writeLimiter(NO_FAILURES)
      flag(0)
    },
  }
}
