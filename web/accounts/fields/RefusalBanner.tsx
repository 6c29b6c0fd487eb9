import { useEffect, useState } from 'react'
import type { Refusal } from '#web/session/auth-context.ts'
import { blockedMessage } from '#web/session/credentials/login-limiter.ts'
import { agreeOnTime, serverNow } from '#web/session/server-clock.ts'
import { Banner } from '#web/ui/show/Banner.tsx'

/** Shows the reason for a refusal. For a block it also counts down the time left. */
export function RefusalBanner({ refusal }: { refusal: Pick<Refusal, 'message' | 'blockedUntil'> }) {
  const left = useTimeLeft(refusal.blockedUntil)
  if (left === 0) return <Banner tone="info">The block is over. You can try again now.</Banner>
  return (
    <div className="flex flex-col gap-1">
      <Banner tone="failure" urgent>
        {left === null ? refusal.message : blockedMessage(left)}
      </Banner>
      {left !== null && (
        // The banner above announces the time once a minute; the seconds are hidden from screen readers.
        <p aria-hidden className="text-right text-xs text-muted tabular">
          {describe(left)} left
        </p>
      )}
    </div>
  )
}

/** Milliseconds until the given time, updated each second; null without a time. */
function useTimeLeft(until: number | undefined) {
  const [now, setNow] = useState(serverNow)
  useEffect(() => {
    if (until === undefined) return
    const tick = () => {
      setNow(serverNow())
      void agreeOnTime()
    }
    tick()
    const timer = setInterval(tick, 1000)
    return () => clearInterval(timer)
  }, [until])
  return until === undefined ? null : Math.max(0, until - now)
}

function describe(ms: number) {
  const seconds = Math.ceil(ms / 1000)
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
}
