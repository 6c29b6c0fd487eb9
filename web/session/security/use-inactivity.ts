import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { markActivity, readLastActivity } from './last-activity.ts'

/** docs/product.md §4 and §9: 30 minutes, checked every 60 s, with a warning two minutes before. */
export const INACTIVITY_LIMIT_MS = 30 * 60_000
const WARNING_MS = 28 * 60_000
const CHECK_MS = 60_000
/** Mouse moves come by the hundred; to the second is exact enough. */
const MARK_EVERY_MS = 1000
/** The service rests a session by requests alone; who reads and scrolls makes none. */
const TELL_EVERY_MS = 5 * 60_000
const ACTIVITY = ['mousedown', 'mousemove', 'keydown', 'scroll', 'touchstart'] as const

export function idleFor(now: number) {
  return now - (readLastActivity() ?? now)
}

export interface InactivityOptions {
  onTimeout: () => void
  /** There was activity: tell the service, too. Called every five minutes at most. */
  onActive: () => void
}

/**
 * Watches for activity in all tabs while there is a session.
 * @returns the milliseconds left once the warning is due, else null
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
      // A machine that wakes after the limit has not been in use.
      if (idle < INACTIVITY_LIMIT_MS) markActivity(Date.now())
      // The question is answered by whatever shows that somebody is there.
      if (idle >= WARNING_MS) check()
    }
    const look = () => check()
    look()
    // The screen's own first requests have told it already.
    told.current = Date.now()
    const timer = setInterval(() => {
      check()
      tell()
    }, CHECK_MS)
    for (const event of ACTIVITY) window.addEventListener(event, mark, { passive: true, capture: true })
    document.addEventListener('visibilitychange', look)
    // Another tab marked activity.
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
