import { useEffect, useState } from 'react'
import { readLimiter, writeLimiter } from './limiter-store.ts'
import { blockedMessage, blockRemaining, NO_FAILURES, recordFailure } from './login-limiter.ts'

/** Refuses after too many failures, and says so until the block ends. */
export function useLoginLimiter() {
  const [isRateLimited, setRateLimited] = useState(() => blockRemaining(readLimiter(), Date.now()) > 0)

  useEffect(() => {
    if (!isRateLimited) return
    const timer = setTimeout(() => setRateLimited(false), blockRemaining(readLimiter(), Date.now()))
    return () => clearTimeout(timer)
  }, [isRateLimited])

  return {
    isRateLimited,
    /** The message to show instead of asking the service; null when nothing is blocked. */
    refusal() {
      const remaining = blockRemaining(readLimiter(), Date.now())
      setRateLimited(remaining > 0)
      return remaining > 0 ? blockedMessage(remaining) : null
    },
    failed() {
      const state = recordFailure(readLimiter(), Date.now())
      writeLimiter(state)
      setRateLimited(blockRemaining(state, Date.now()) > 0)
    },
    succeeded() {
      writeLimiter(NO_FAILURES)
      setRateLimited(false)
    },
  }
}
