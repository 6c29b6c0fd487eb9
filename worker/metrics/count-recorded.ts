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
  // Claim and event are both timed by the database's clock; the event's id holds its milliseconds (RFC 9562).
  const committedAt = Number.parseInt(delivery.event_id.replaceAll('-', '').slice(0, 12), 16)
  metrics.observeLatency((record.created_at.getTime() + record.processing_time_ms - committedAt) / 1000)
}
