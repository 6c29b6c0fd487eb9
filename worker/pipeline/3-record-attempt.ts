import { setTimeout as sleep } from 'node:timers/promises'
import { createBatcher } from '#core/concurrency/batch.ts'
import type { ClaimedDelivery } from '#core/data/webhooks/deliveries/claim-deliveries.ts'
import type { AttemptRecord } from '#core/data/webhooks/deliveries/attempt-rows.ts'
import { recordAttempts, type RecordedAttempt } from '#core/data/webhooks/deliveries/record-attempts.ts'
import { isRefused } from '#core/data/is-refused.ts'
import type { HeavyPayloads } from '../dispatch/heavy-payloads.ts'
import { failpoint } from '#core/failpoints.ts'
import type { SendingHours } from '#core/contract/webhooks/sending-hours.ts'
import { showBody, type AnswerRules } from '#core/domain/webhooks/answer/judge-body.ts'
import {
  answerOf,
  GONE_BUT_CHANGED,
  readAnswer,
  type Verdict,
} from '#core/domain/webhooks/answer/read-answer.ts'
import { redactExchange } from '#core/domain/webhooks/answer/redact-exchange.ts'
import { redactUrl } from '#core/domain/webhooks/answer/redact-text.ts'
import {
  mayHaveArrived,
  secondsToMailServer,
  type UnservedTries,
} from '#core/domain/webhooks/by-mail/mail-server-retries.ts'
import { secondsToNextAttempt, type RetrySchedule } from '#core/domain/webhooks/retry-schedule.ts'
import { findSendingTime, type CallClock } from '#core/domain/webhooks/sending-hours/find-sending-time.ts'
import type { WebhookRequest } from '#core/endpoint/prepare-request.ts'
import type { SendResult } from '#core/endpoint/exchange-once.ts'
import { paceOfRecords } from '../limits.ts'
import type { SendingContext } from '../sending-context.ts'
import { readMailTries } from '../endpoint/read-mail-tries.ts'
import { findLateStart } from './3-find-late-start.ts'
import { countRecorded } from '../metrics/count-recorded.ts'
import { identifyAttempt } from './3-identify-attempt.ts'
import { logAttempt } from './3-log-attempt.ts'
import { createTellLostLease } from './3-tell-lost-lease.ts'

/** One exchange that took place. */
export interface MadeAttempt {
  delivery: ClaimedDelivery
  /** when the exchange began, by the database's clock */
  begunAt: Date
  request: WebhookRequest
  result: SendResult
  rules: AnswerRules
  /** a retry waits for these hours; null means always */
  hours: SendingHours | null
  /** when the lead's person may be called, for hours that follow it */
  calls: CallClock | null
}

/**
 * Resolves once PostgreSQL has the attempt; until then the attempt counts as open.
 * @returns seconds until the retry, if there is one
 */
export type RecordAttempt = (made: MadeAttempt) => Promise<number | undefined>

/**
 * Consumes: the answer of 2-send-delivery. Emits: a log row, the delivery's new status, its event on the timeline, or a
 * retry. Safe to run twice because: the log row's id is chosen before the first try, and the status changes only under
 * the lease.
 */
export function createRecordAttempt(
  context: SendingContext,
  heavy: Pick<HeavyPayloads, 'make'>,
): RecordAttempt {
  const { webhooks } = context.config
  const tellLostLease = createTellLostLease(context.logger)
  const schedule = { stepSeconds: webhooks.retryScheduleSeconds, jitter: webhooks.retryJitter }
  const records = createBatcher<AttemptRecord, RecordedAttempt>({
    ...context.gathering,
    pace: paceOfRecords(webhooks.concurrency),
    flush: async (batch) => {
      await failpoint('before-record')
      context.metrics.observeBatch('record', batch.length)
      return await recordAttempts(context.db, batch)
    },
  })

  /**
   * The request was sent, so the process keeps its record until PostgreSQL has it; DISPATCH.mostOpen limits the number
   * of records in memory. After a batch failed, its records are written one by one, so that a record which is refused,
   * or whose row is locked, does not stop the others.
   */
  async function write(record: AttemptRecord): Promise<RecordedAttempt> {
    let given = record
    for (let tries = 1; ; tries += 1) {
      try {
        if (tries === 1) return await records.add(given)
        const [recorded] = await recordAttempts(context.db, [given])
        if (recorded !== undefined) return recorded
      } catch (error) {
        const { lead_id, delivery_id } = record
        const fields = { err: error, lead_id, delivery_id, tries }
        if (tries === 1 || tries % 30 === 0) context.logger.warn(fields, 'attempt not recorded yet')
        if (tries > 1 && isRefused(error)) given = withoutAnswer(record)
      }
      await sleep(Math.min(100 * 2 ** tries, 2000) * (0.5 + Math.random()))
    }
  }

  return async function recordAttempt(made) {
    const { webhook_config_id: id, config_version: version } = made.delivery
    const startedAt = performance.now()
    const unserved = await readMailTries(context.db, made)
    const described = await heavy.make(id, version, () => describe(made, schedule, unserved))
    const recorded = await context.tracing.inSpan(
      'record',
      { 'leadwire.state': described.state, 'leadwire.reason': described.error_class ?? 'none' },
      () => write(described),
    )
    const { record, lost, next_attempt_at: next } = recorded
    // A test mail above its number is no failure of the webhook.
    if (made.request.refusedAs !== 'for_good' || made.delivery.is_probe)
      context.outcomes.note({
        webhook_config_id: record.webhook_config_id,
        is_probe: made.delivery.is_probe,
        ended_at: new Date(record.created_at.getTime() + record.processing_time_ms),
        took_ms: record.processing_time_ms,
        status: record.response_status,
        delivered: record.state === 'delivered',
        error_class: record.error_class,
        error_message: record.error_message,
      })
    context.metrics.observeStage('record_attempt', 'done', (performance.now() - startedAt) / 1000)
    countRecorded(context.metrics, made.delivery, record, lost !== null)
    if (lost !== null) tellLostLease(record, lost)
    logAttempt(context.logger, made.delivery, record)
    if (next === null || record.retry_in_seconds === null) return undefined
    await failpoint('before-retry')
    return record.retry_in_seconds
  }
}

type Failed = Extract<Verdict, { state: 'failed' }>

/** Leaves out everything that the endpoint wrote: only that part of a record could make PostgreSQL refuse it. */
function withoutAnswer(record: AttemptRecord): AttemptRecord {
  const message = record.error_message === null ? null : 'The answer could not be kept.'
  return { ...record, response_headers: null, response_body: null, receiver_id: null, error_message: message }
}

function describe(made: MadeAttempt, schedule: RetrySchedule, unserved: UnservedTries): AttemptRecord {
  const { delivery, begunAt, request, result } = made
  const { exchange } = result
  const answer = answerOf(exchange)
  const answeredAt = new Date(begunAt.getTime() + result.timing.total_ms)
  const verdict = readAnswer(exchange, answeredAt, { ...made.rules, ...result, asked: request.url })
  const failed = verdict.state === 'failed' ? verdict : undefined
  const soonest =
    failed === undefined ? undefined : secondsToRetry(failed, made, { schedule, unserved, answeredAt })
  const retryIn = failed?.disable === undefined ? waitForHours(made, answeredAt, soonest) : undefined
  const said = redactExchange({
    url: request.url,
    requestHeaders: request.headers,
    requestBody: request.body,
    responseHeaders: answer?.headers ?? null,
    responseBody: showBody(result),
    message: failed === undefined ? null : wordFailure(failed, retryIn),
  })
  return {
    ...identifyAttempt(delivery, begunAt),
    ...(failed === undefined ? { state: 'delivered', retry_in_seconds: null } : settle(retryIn)),
    response_status: answer?.status ?? null,
    processing_time_ms: result.timing.total_ms,
    error_class: failed?.errorClass ?? null,
    error_message: said.message,
    outcome: verdict.outcome ?? null,
    receiver_id: verdict.state === 'delivered' ? verdict.receiverId : null,
    disable_reason: failed?.disable ?? null,
    if_changed:
      failed?.disable === undefined && retryIn === soonest
        ? null
        : {
            // The hours may have changed, or a new address may have replaced the deleted one. That is checked when the
            // delivery is due.
            ...settle(soonest),
            // A mail address that is nobody's has no answer; its own sentence stays true.
            error_message:
              failed?.disable === undefined || answer === undefined ? said.message : GONE_BUT_CHANGED,
            disable_reason: null,
          },
    remote_address: result.remoteAddress,
    request_url: request.configuredUrl === undefined ? said.url : redactUrl(request.configuredUrl),
    filled_url: request.configuredUrl === undefined ? null : said.url,
    request_method: request.method,
    request_headers: JSON.stringify(said.requestHeaders),
    request_body: said.requestBody,
    response_headers: said.responseHeaders === null ? null : JSON.stringify(said.responseHeaders),
    response_body: said.responseBody,
    response_truncated: result.bodyTruncated,
    timing: JSON.stringify(result.timing),
    late: findLateStart(delivery, begunAt),
  }
}

function wordFailure({ errorClass, message }: Failed, retryIn: number | undefined): string {
  if (errorClass !== 'mail_server') return message
  const counts = mayHaveArrived(message)
    ? 'It does not count against this webhook'
    : 'It counts neither as an attempt nor against this webhook'
  return `${message} ${counts}${retryIn === undefined ? '' : ', and the mail is tried again'}.`
}

/** Undefined if it is not tried again. Tries that our mail server did not take are no attempts of the schedule. */
function secondsToRetry(
  { errorClass, message, outcome, isFinal, retryAfterSeconds }: Failed,
  { delivery: { attempt } }: MadeAttempt,
  { schedule, unserved, answeredAt }: { schedule: RetrySchedule; unserved: UnservedTries; answeredAt: Date },
): number | undefined {
  if (outcome === 'rejected' || isFinal === true) return undefined
  const random = Math.random()
  return errorClass === 'mail_server' && !mayHaveArrived(message)
    ? secondsToMailServer(unserved, answeredAt, { jitter: schedule.jitter, random })
    : secondsToNextAttempt(schedule, attempt - unserved.count, retryAfterSeconds, random)
}

/** The status of a delivery after a failed attempt. */
function settle(retryIn: number | undefined): Pick<AttemptRecord, 'state' | 'retry_in_seconds'> {
  return { state: retryIn === undefined ? 'failed' : 'pending', retry_in_seconds: retryIn ?? null }
}

/** Seconds until the retry, or until the sending hours begin if the retry would be outside them. */
function waitForHours(
  { hours, calls }: Pick<MadeAttempt, 'hours' | 'calls'>,
  from: Date,
  seconds: number | undefined,
): number | undefined {
  if (seconds === undefined || hours === null) return seconds
  const planned = new Date(from.getTime() + seconds * 1000)
  return (findSendingTime(hours, calls, planned).getTime() - from.getTime()) / 1000
}
