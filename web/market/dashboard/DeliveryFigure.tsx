import { useQuery } from '@tanstack/react-query'
import { addDays, rateDeliveries, readDay, type DeliveryDay } from '#core/domain/webhooks/rate-deliveries.ts'
import { describeDelivered } from '#web/components/describe-delivered.ts'
import { formatRate } from '#web/format/format-rate.ts'
import { webhooksPath } from '#web/paths.ts'
import { endpointHealthQuery } from '#web/webhooks/queries/endpoint-health.ts'
import { Figure } from './Figure.tsx'

/**
 * Shows the delivered share of the deliveries that ended in the last 24 hours or still wait, for all webhooks
 * together; each webhook's log has its own.
 */
export function DeliveryFigure() {
  const health = useQuery(endpointHealthQuery)
  const [only, ...others] = health.data ?? []
  const day = health.data && addDays(health.data.map(readDay))
  return (
    <Figure
      label="Delivery success, 24 hours"
      value={day && formatRate(rateDeliveries(day))}
      to={webhooksPath(others.length === 0 ? only?.webhook_config_id : undefined)}
      note={day && describeDay(day, health.data?.length ?? 0)}
      onRetry={health.isError ? () => void health.refetch() : undefined}
    />
  )
}

function describeDay(day: DeliveryDay, webhooks: number) {
  if (webhooks === 0) return 'No webhook yet'
  return describeDelivered(day) ?? 'No deliveries in the last 24 hours'
}
