import { randomUUIDv7 } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { createBatcher } from '#core/batch.ts'
import type { ClaimedDelivery } from '#core/data/claim-deliveries.ts'
import { recordAttempts, type AttemptRecord, type RecordedAttempt } from '#core/data/record-attempts.ts'
import { maskHeaders } from '#core/domain/custom-headers.ts'
import { readAnswer } from '#core/domain/read-answer.ts'
import { secondsToNextAttempt } from '#core/domain/retry-schedule.ts'
import type { WebhookRequest } from '#core/webhook/prepare-request.ts'
import type { SendResult } from '#core/webhook/exchange-once.ts'
import type { WorkerContext } from '../context.ts'

/** One exchange that took place. */
export interface MadeAttempt {
  delivery: ClaimedDelivery
  attempt: number
  leaseToken: string
  request: WebhookRequest
  result: SendResult
}

/** Resolves once PostgreSQL has the attempt; only then may the job finish. */
export type RecordAttempt = (made: MadeAttempt) => Promise<void>

/**
 * Consumes: the answer of 2-send-delivery.
 * Emits: a log row, the delivery's new state, its event on the timeline, or a retry.
 * Safe to run twice because: the log row's id is chosen before the first try, and the state changes only under the lease.
 */
export function createRecordAttempt(context: WorkerContext): RecordAttempt {
  const { webhooks } = context.config
  const schedule = { stepSeconds: webhooks.retryScheduleSeconds, jitter: webhooks.retryJitter }
  const records = createBatcher<AttemptRecord, RecordedAttempt>({
    maxSize: 100,
    parallel: 2,
    flush: (batch) => recordAttempts(context.db, batch),
  })

  /** The send has happened: while the database is away the answer is kept, and the job with it, until it can be written. */
  async function write(record: AttemptRecord): Promise<RecordedAttempt> {
    for (let tries = 1; ; tries += 1) {
      try {
        return await records.add(record)
      } catch (error) {
        context.logger.warn(
          { err: error, delivery_id: record.delivery_id, tries },
          'attempt not recorded yet',
        )
        if (tries >= 60) throw error
        await sleep(Math.min(100 * 2 ** tries, 2000))
      }
    }
  }

  return async function recordAttempt(made) {
    const record = describe(made, schedule)
    const { fenced, next_attempt_at: next } = await write(record)
    if (fenced)
      context.logger.warn({ delivery_id: record.delivery_id }, 'lease lost to another sender; attempt logged')
    if (next === null || record.retry_in_seconds === null) return
    const retry = { ...made.delivery, attempt: made.attempt + 1 }
    await context.deliveries.add([retry], record.retry_in_seconds * 1000).catch((error: unknown) => {
      context.logger.warn(
        { err: error, delivery_id: record.delivery_id },
        'retry not enqueued; the reconciler will',
      )
    })
  }
}

function describe(made: MadeAttempt, schedule: Parameters<typeof secondsToNextAttempt>[0]): AttemptRecord {
  const { delivery, attempt, request, result } = made
  const { exchange } = result
  const verdict = readAnswer(exchange, new Date())
  const failed = verdict.outcome === 'failed' ? verdict : undefined
  const retryIn =
    failed === undefined || failed.disable !== undefined
      ? undefined
      : secondsToNextAttempt(schedule, attempt, failed.retryAfterSeconds, Math.random())
  return {
    log_id: randomUUIDv7(),
    created_at: delivery.claimed_at,
    delivery_id: delivery.delivery_id,
    lease_token: made.leaseToken,
    webhook_config_id: delivery.webhook_config_id,
    client_user_id: delivery.client_user_id,
    event_id: delivery.event_id,
    event_type: delivery.event_type,
    lead_id: delivery.lead.id,
    attempt,
    state: failed === undefined ? 'delivered' : retryIn === undefined ? 'failed' : 'pending',
    retry_in_seconds: retryIn ?? null,
    response_status: exchange.kind === 'answer' ? exchange.status : null,
    processing_time_ms: result.timing.total_ms,
    error_class: failed?.errorClass ?? null,
    error_message: failed?.message ?? null,
    disable_reason: failed?.disable ?? null,
    remote_address: result.remoteAddress,
    request_url: request.url,
    request_method: request.method,
    request_headers: JSON.stringify(maskHeaders(request.headers)),
    request_body: request.body,
    response_headers: exchange.kind === 'answer' ? JSON.stringify(exchange.headers) : null,
    response_body: result.body,
    response_truncated: result.bodyTruncated,
    timing: JSON.stringify(result.timing),
  }
}
