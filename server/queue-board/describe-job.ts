import type { QueueJobJson } from '@bull-board/api/typings/app'
import type { BoardAttempt, BoardDelivery } from '#core/data/operations/board-deliveries.ts'
import { hostOf } from '#core/data/webhooks/endpoint-host.ts'
import { sendingHoursSchema } from '#core/contract/webhooks/sending-hours.ts'
import { isOpening } from '#core/domain/webhooks/sending-hours/find-sending-time.ts'
import { wordWaitReason } from '#core/domain/webhooks/why-waiting.ts'

/** A delivery in the form of a job. It says nothing of the lead's person, and only the host of the endpoint. */
export function describeJob(delivery: BoardDelivery): QueueJobJson {
  const planned = delivery.next_attempt_at
  const because = sayWhy(delivery)
  return {
    id: delivery.id,
    name: delivery.event_type,
    data: {
      lead_id: delivery.lead_id,
      client: delivery.client_name,
      client_id: delivery.client_user_id,
      webhook: delivery.webhook_name,
      webhook_id: delivery.webhook_config_id,
      endpoint_host: hostOf(delivery.endpoint_url),
      attempts_made: delivery.attempt,
      error_class: delivery.error_class,
      next_attempt_at: planned?.toISOString() ?? null,
      ...(because !== undefined && { why: because }),
    },
    opts: {},
    progress: 0,
    attemptsMade: delivery.attempt,
    timestamp: delivery.created_at.getTime(),
    // Its whole time, from its planning to its end.
    ...(delivery.finished_at !== null && {
      processedOn: delivery.created_at.getTime(),
      finishedOn: delivery.finished_at.getTime(),
    }),
    // The dashboard adds it to the time of creation and shows when the job will run.
    ...(delivery.queue_state === 'delayed' &&
      planned !== null && { delay: planned.getTime() - delivery.created_at.getTime() }),
    failedReason: delivery.error_class ?? '',
    stacktrace: [],
    returnvalue: null,
  }
}

/** Why it is delayed; undefined if it is not. */
function sayWhy(delivery: BoardDelivery): string | undefined {
  if (delivery.queue_state !== 'delayed') return undefined
  const word = (code: Parameters<typeof wordWaitReason>[0]['code']) =>
    wordWaitReason({ code, until: null, count: 0 })
  if (delivery.offered_until !== null) return word('offered')
  if (!delivery.is_active) return word('switched_off')
  if (delivery.is_paused) return word('sending_paused')
  if (delivery.state === 'held') return word('breaker_open')
  return word(waitsForHours(delivery) ? 'outside_hours' : 'not_due')
}

/** Whether its next attempt is at the opening of its webhook's sending hours. */
export function waitsForHours({ sending_hours: stored, next_attempt_at: planned }: BoardDelivery): boolean {
  return planned !== null && isOpening(sendingHoursSchema.safeParse(stored).data ?? null, planned)
}

/** An attempt as a line of the job's log. */
export function describeAttempt(attempt: BoardAttempt): string {
  const parts = [
    attempt.delivery_status,
    attempt.error_class,
    attempt.response_status === null ? null : `status ${attempt.response_status}`,
    attempt.processing_time_ms === null ? null : `${attempt.processing_time_ms} ms`,
    attempt.next_attempt_at === null ? null : `next attempt ${attempt.next_attempt_at.toISOString()}`,
  ]
  const said = parts.filter((part) => part !== null).join(', ')
  return `${attempt.created_at.toISOString()} attempt ${attempt.attempt_number}: ${said}`
}
