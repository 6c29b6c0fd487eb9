import type { ClaimedDelivery } from '#core/data/webhooks/deliveries/claim-deliveries.ts'
import type { WorkerMetrics } from './create-metrics.ts'

/** Counts one recorded attempt. */
export function countRecorded(
  metrics: Pick<WorkerMetrics, 'countAttempt' | 'countFinished' | 'observeLatency'>,
  delivery: { event_id: string; is_resend: boolean },
  record: {
    state: 'delivered' | 'failed' | 'pending'
    error_class: string | null
    created_at: Date
    processing_time_ms: number
  },
  isLost: boolean,
): void {
  metrics.countAttempt(record.error_class ?? 'delivered')
  if (isLost || record.state === 'pending') return
  metrics.countFinished(record.state)
  if (record.state !== 'delivered' || delivery.is_resend) return
  metrics.observeLatency(secondsSince(delivery, record.created_at) + record.processing_time_ms / 1000)
}

/** Notes how long a delivery waited for its first attempt, unless it was not to be sent at once. */
export function noteBegin(
  metrics: Pick<WorkerMetrics, 'observeBegin'>,
  delivery: Pick<
    ClaimedDelivery,
    'event_id' | 'attempt' | 'turn' | 'is_resend' | 'is_probe' | 'was_put_off' | 'webhook_config_id'
  >,
  begunAt: Date,
  isProved: (endpoint: string) => boolean,
): void {
  if (delivery.attempt !== 1 || delivery.is_resend || delivery.is_probe || delivery.was_put_off) return
  const line = delivery.turn > 0 ? 'burst' : isProved(delivery.webhook_config_id) ? 'ordinary' : 'unproved'
  metrics.observeBegin(line, secondsSince(delivery, begunAt))
}

/** Claim and event are both timed by the database's clock; the event's id holds its milliseconds (RFC 9562). */
function secondsSince({ event_id: id }: { event_id: string }, at: Date): number {
  return (at.getTime() - Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16)) / 1000
}
