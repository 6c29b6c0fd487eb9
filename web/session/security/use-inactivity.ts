import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { markActivity, readLastActivity } from './last-activity.ts'

/** 30 minutes, checked every 60 s, with a warning two minutes before (docs/product.md §4 and §9). */
export const INACTIVITY_LIMIT_MS = 30 * 60_000
const WARNING_MS = 28 * 60_000
const CHECK_MS = 60_000
/** Mouse moves come by the hundred, so activity is marked once per second. */
const MARK_EVERY_MS = 1000
/** The service measures inactivity by requests, and a user who reads and scrolls makes none. */
const TELL_EVERY_MS = 5 * 60_000
const ACTIVITY = ['mousedown', 'mousemove', 'keydown', 'scroll', 'touchstart'] as const

export function idleFor(now: number) {
  return now - (readLastActivity() ?? now)
}

export interface InactivityOptions {
  onTimeout: () => void
  /** Called after activity, at most every five minutes, to send a request to the service. */
  onActive: () => void
}

/**
 * Watches for activity in all tabs while there is a session.
 * @returns the milliseconds left once the warning is due, otherwise null
 */
export function useInactivity(isSignedIn: boolean, { onTimeout, onActive }: InactivityOptions) {
  const [left, setLeft] = useState<number | null>(null)
  const told = useRef(0)

  const tell = useEffectEvent(() => {
    const now = Date.now()
    const last = readLastActivity() ?? 0
    if (last <= told.current || now - told.current < TELL_EVERY_MS) return
    told.current = now
    onActive()
  })

  const check = useEffectEvent(() => {
    const idle = idleFor(Date.now())
    if (idle < INACTIVITY_LIMIT_MS) setLeft(idle >= WARNING_MS ? INACTIVITY_LIMIT_MS - idle : null)
    else {
      setLeft(null)
      onTimeout()
    }
  })

  useEffect(() => {
    if (!isSignedIn) return
    if (readLastActivity() === null) markActivity(Date.now())
    const mark = () => {
      const idle = idleFor(Date.now())
      if (idle < MARK_EVERY_MS) return
      // A machine that wakes up after the limit counts as inactive.
      if (idle < INACTIVITY_LIMIT_MS) markActivity(Date.now())
      // Any activity dismisses the warning.
      if (idle >= WARNING_MS) check()
    }
    const look = () => check()
    look()
    // The screen has just sent its own first requests.
    told.current = Date.now()
    const timer = setInterval(() => {
      check()
      tell()
    }, CHECK_MS)
    for (const event of ACTIVITY) window.addEventListener(event, mark, { passive: true, capture: true })
    document.addEventListener('visibilitychange', look)
    // Runs when another tab has marked activity.
    window.addEventListener('storage', look)
    return () => {
      clearInterval(timer)
      for (const event of ACTIVITY) window.removeEventListener(event, mark, { capture: true })
      document.removeEventListener('visibilitychange', look)
      window.removeEventListener('storage', look)
      setLeft(null)
    }
  }, [isSignedIn])

  const isWarning = left !== null
  useEffect(() => {
    if (!isWarning) return
    const timer = setInterval(() => check(), 1000)
    return () => clearInterval(timer)
  }, [isWarning])

  return left
}
