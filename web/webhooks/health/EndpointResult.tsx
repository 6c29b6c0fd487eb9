import clsx from 'clsx'
import { CircleAlert, CircleCheck } from 'lucide-react'
import type { EndpointHealth } from '#core/contract/webhooks/endpoint-health.ts'
import { describeDay, describeLastResult } from './endpoint-health-words.ts'
import { RelativeTime } from '#web/ui/show/RelativeTime.tsx'
import { Sparkline } from '#web/ui/show/Sparkline.tsx'
import { Tooltip } from '#web/ui/overlay/Tooltip.tsx'

/** Shows the last 24 hours and the last result in one small line; nothing before the first attempt. */
export function EndpointResult({ health }: { health: EndpointHealth }) {
  if (health.last_attempt_at === null) return null
  return (
    <p className="mt-0.5 flex flex-wrap items-center gap-x-2 gap-y-0.5 text-xs">
      <DaySparkline health={health} className="h-4 w-20" />
      <LastResult health={health} />
    </p>
  )
}

export function DaySparkline({ health, className }: { health: EndpointHealth; className: string }) {
  return (
    <Sparkline
      label={describeDay(health.day)}
      bars={health.hours.map(({ delivered, failed }) => ({ good: delivered, bad: failed }))}
      className={className}
    />
  )
}

export function LastResult({ health }: { health: EndpointHealth }) {
  const last = describeLastResult(health)
  if (last === null || health.last_attempt_at === null) return <span className="text-muted">–</span>
  const Icon = last.tone === 'success' ? CircleCheck : CircleAlert
  const message = health.last_error_message
  return (
    <span className="inline-flex flex-wrap items-center gap-x-1">
      <Icon
        role="img"
        aria-label={last.tone === 'success' ? 'Last attempt delivered:' : 'Last attempt failed:'}
        className={clsx('size-3', last.tone === 'success' ? 'text-success' : 'text-failure')}
      />
      <Tooltip content={message} disabled={message === null}>
        <span
          {...(message === null ? {} : { tabIndex: 0 })}
          className={clsx('rounded-sm tabular', last.tone === 'failure' && 'font-medium text-failure')}
        >
          {last.text}
        </span>
      </Tooltip>
      <RelativeTime at={health.last_attempt_at} className="text-muted" />
    </span>
  )
}
