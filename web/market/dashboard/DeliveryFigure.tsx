import { useQuery } from '@tanstack/react-query'
import type { EndpointHealth } from '#core/contract/webhooks/endpoint-health.ts'
import { countOf, formatCount } from '#web/format/count-of.ts'
import { formatRate } from '#web/format/format-rate.ts'
import { webhooksPath } from '#web/paths.ts'
import { endpointHealthQuery } from '#web/webhooks/queries/endpoint-health.ts'
import { Figure } from './Figure.tsx'

/** Which part of the attempts of the last 24 hours was delivered, all webhooks together; each webhook's own stands in its log. */
export function DeliveryFigure() {
  const health = useQuery(endpointHealthQuery)
  const [only, ...others] = health.data ?? []
  const day = health.data && addUp(health.data)
  return (
    <Figure
      label="Delivery success, 24 hours"
      value={day && formatRate(day.all === 0 ? null : day.delivered / day.all)}
      to={webhooksPath(others.length === 0 ? only?.webhook_config_id : undefined)}
      note={day && describeDay(day, health.data?.length ?? 0)}
      onRetry={health.isError ? () => void health.refetch() : undefined}
    />
  )
}

function addUp(health: readonly EndpointHealth[]) {
  const delivered = health.reduce((sum, { day }) => sum + day.delivered, 0)
  return { delivered, all: health.reduce((sum, { day }) => sum + day.failed, delivered) }
}

function describeDay({ delivered, all }: ReturnType<typeof addUp>, webhooks: number) {
  if (webhooks === 0) return 'No webhook yet'
  if (all === 0) return 'No attempts in the last 24 hours'
  return `${formatCount(delivered)} of ${countOf(all, 'attempt')} delivered`
}
