import { useQuery } from '@tanstack/react-query'
import clsx from 'clsx'
import { ChevronRight } from 'lucide-react'
import { useId, useState } from 'react'
import type { EndpointHealth } from '#core/contract/webhooks/endpoint-health.ts'
import { isInTrouble } from '#core/domain/webhooks/endpoint-status.ts'
import { readDay } from '#core/domain/webhooks/rate-deliveries.ts'
import { describeDelivered } from '#web/components/describe-delivered.ts'
import { EndpointTrouble } from '#web/components/EndpointTrouble.tsx'
import { endpointHealthQuery } from '../queries/endpoint-health.ts'
import { countWaiting, describeLastResult } from './endpoint-health-words.ts'
import { formatDuration } from '#web/components/webhook-log-cells.ts'
import { formatRate } from '#web/format/format-rate.ts'
import { RelativeTime } from '#web/ui/show/RelativeTime.tsx'
import { Skeleton } from '#web/ui/wait/Skeleton.tsx'
import { SummaryItem } from '../logs/SummaryItem.tsx'
import { DaySparkline, LastResult } from './EndpointResult.tsx'

/** Shows the health of one webhook's endpoint, above its logs. */
export function HealthSummary({ configId }: { configId: string }) {
  const { data, isPending } = useQuery(endpointHealthQuery)
  const id = useId()
  const [isOpen, setOpen] = useState(false)
  const health = data?.find(({ webhook_config_id }) => webhook_config_id === configId)
  if (data === undefined) return isPending ? <SummarySkeleton /> : <SummaryFailure />
  if (health === undefined || (health.last_attempt_at === null && health.waiting === 0)) return null
  const { day } = health
  const delivered = describeDelivered(readDay(health))
  return (
    <section aria-label="Endpoint health" className="border-b border-line px-5 py-4 max-sm:py-2.5">
      <button
        type="button"
        aria-expanded={isOpen}
        aria-controls={`${id}-facts`}
        className="group flex min-h-6 w-full flex-wrap items-center gap-2 rounded-md text-left text-sm sm:hidden"
        onClick={() => setOpen(!isOpen)}
      >
        <ChevronRight
          aria-hidden
          className="size-4 text-muted transition-transform group-aria-expanded:rotate-90"
        />
        <span className="font-medium">Endpoint health</span>
        <span className="ml-auto text-xs text-muted tabular">{describeShortly(health)}</span>
      </button>
      <dl
        id={`${id}-facts`}
        className={clsx(
          'grid grid-cols-[repeat(auto-fit,minmax(min(100%,7.5rem),1fr))] gap-x-8 gap-y-3 max-sm:mt-3',
          !isOpen && 'max-sm:hidden',
        )}
      >
        <SummaryItem label="Last 24 hours">
          <DaySparkline health={health} className="h-5 w-24" />
        </SummaryItem>
        <SummaryItem label="Delivery success">
          <span className="tabular">{formatRate(day.success_rate)}</span>
          {delivered !== null && <span className="block text-xs text-muted tabular">{delivered}</span>}
        </SummaryItem>
        <SummaryItem label="Median time">
          <span className="tabular">{day.p50_ms === null ? '–' : formatDuration(day.p50_ms)}</span>
        </SummaryItem>
        <SummaryItem label="95% within">
          <span className="tabular">{day.p95_ms === null ? '–' : formatDuration(day.p95_ms)}</span>
        </SummaryItem>
        <SummaryItem label="Waiting">
          <span className="tabular">{health.waiting === 0 ? 'Nothing' : countWaiting(health)}</span>
        </SummaryItem>
        <SummaryItem label="Last result">
          <LastResult health={health} />
        </SummaryItem>
      </dl>
      <Trouble health={health} />
    </section>
  )
}

/** Summary on a narrow screen while the details are folded. */
function describeShortly(health: EndpointHealth) {
  const last = describeLastResult(health)
  const parts = [
    ...(last === null ? [] : [last.text]),
    ...(health.waiting === 0 ? [] : [`${countWaiting(health)} waiting`]),
  ]
  return parts.join(' · ')
}

/** Has the height of the facts, so that the logs below do not jump. */
function SummarySkeleton() {
  return (
    <div
      role="status"
      aria-label="Loading the endpoint's health"
      className="border-b border-line px-5 py-4 max-sm:py-2.5"
    >
      <Skeleton className="h-5 w-full sm:h-9.5" />
    </div>
  )
}

function SummaryFailure() {
  return (
    <p role="status" className="border-b border-line px-5 py-2.5 text-sm text-muted">
      The endpoint’s health could not be loaded.
    </p>
  )
}

function Trouble({ health }: { health: EndpointHealth }) {
  if (isInTrouble(health)) {
    return (
      <p className="mt-3 text-sm text-muted">
        <EndpointTrouble health={health} />
        {health.breaker === 'open' && <Probing health={health} />}
      </p>
    )
  }
  if (health.failing_since === null || health.standing === 'inactive') return null
  return (
    <p className="mt-3 text-sm text-muted">
      The last attempt failed <RelativeTime at={health.failing_since} />.
    </p>
  )
}

function Probing({ health }: { health: EndpointHealth }) {
  return (
    <>
      {' '}
      The endpoint does not answer, so its leads are held, and one at a time is sent as a probe
      {health.next_probe_at !== null && (
        <>
          ; the next <RelativeTime at={health.next_probe_at} />
        </>
      )}
      .
    </>
  )
}
