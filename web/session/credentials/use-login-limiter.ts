import { useEffect, useRef, useState } from 'react'
import type { Refusal } from '../auth-context.ts'
import { agreeOnTime, serverNow } from '../server-clock.ts'
import { readLimiter, writeLimiter } from './limiter-store.ts'
import { blockedUntil, describeBlock, NO_FAILURES, recordFailure } from './login-limiter.ts'

/** Refuses sign-ins after too many failures until the block ends; all times are the server's. */
export function useLoginLimiter() {
  const [flaggedUntil, setFlaggedUntil] = useState(() => blockedUntil(readLimiter()))
  const [isRateLimited, setRateLimited] = useState(() => flaggedUntil > serverNow())
  /** Accounts that the service blocks in this browser; other accounts can sign in. */
  const accounts = useRef(new Map<string, number>())

  useEffect(() => {
    if (!isRateLimited) return
    const timer = setTimeout(() => setRateLimited(false), Math.max(0, flaggedUntil - serverNow()))
    return () => clearTimeout(timer)
  }, [isRateLimited, flaggedUntil])

  function flag(until: number) {
    setFlaggedUntil(until)
    setRateLimited(until > serverNow())
  }

  return {
    isRateLimited,
    /** Returns the reason not to ask the service; null without a block. */
    async refusal(email: string): Promise<Refusal | null> {
      await agreeOnTime()
      const until = Math.max(blockedUntil(readLimiter()), accounts.current.get(email) ?? 0)
      flag(until)
      return until > serverNow() ? describeBlock(until, serverNow()) : null
    },
    failed() {
      const state = recordFailure(readLimiter(), serverNow())
      writeLimiter(state)
      flag(blockedUntil(state))
    },
    /** Records that the service blocks this account for a number of seconds. */
    blockedFor(email: string, seconds: number): Refusal {
      const until = serverNow() + seconds * 1000
      accounts.current.set(email, until)
      flag(until)
      return describeBlock(until, serverNow())
    },
    succeeded() {
      writeLimiter(NO_FAILURES)
      flag(0)
    },
  }
}
