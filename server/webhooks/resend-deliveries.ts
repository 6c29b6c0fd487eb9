import { isClientEvent } from '#core/contract/events.ts'
import type { ResendFailedResult, ResendResult } from '#core/contract/webhooks/resend.ts'
import type { Db } from '#core/data/database.ts'
import { releaseHeldOf } from '#core/data/webhooks/health/breakers.ts'
import { findDeliveryLog } from '#core/data/webhooks/logs/find-delivery-log.ts'
import type { DueDelivery } from '#core/data/webhooks/deliveries/plan-deliveries.ts'
import {
  endReplay,
  insertReplay,
  isReplayOpen,
  readReplaySize,
} from '#core/data/webhooks/deliveries/replays.ts'
import {
  hurryRetry,
  insertResend,
  lockForResend,
  releaseHeldDelivery,
} from '#core/data/webhooks/deliveries/resend-deliveries.ts'
import {
  countFailed,
  hurryPiece,
  lockReplay,
  resendPiece,
  type FailedSince,
  type ReplayPlace,
} from '#core/data/webhooks/deliveries/replay-pieces.ts'
import { acceptOffered } from '#core/data/webhooks/deliveries/offered-deliveries.ts'
import type { WebhookConfigRow } from '#core/data/webhooks/webhook-configs.ts'
import { sayWhen } from '#core/domain/market/say-when.ts'
import { findSendingTime, isOpening } from '#core/domain/webhooks/sending-hours/find-sending-time.ts'
import { isKeptFromWebhook, isRevokedFor } from '#core/data/market/sale/ended-assignments.ts'
import { AppError } from '#core/errors.ts'
import { outsideQueue } from '#core/concurrency/outside-queue.ts'
import { limitParallelEach } from '#core/concurrency/limit-parallel-each.ts'
import type { Principal } from '../identity/find-live-session.ts'
import type { ServerContext } from '../context.ts'
import { createOnce } from '../http/create-once.ts'
import { repeatOnConflict } from '#core/data/repeat-on-conflict.ts'
import { hoursOf } from './retime-waiting.ts'
import { requireWebhookConfig } from './configs/require-webhook-config.ts'

type LoggedAttempt = NonNullable<Awaited<ReturnType<typeof findDeliveryLog>>>

/** Deliveries that a resend made due or moved forward, to announce after the commit. */
interface Moved {
  due: DueDelivery[]
  hurried: DueDelivery[]
  sent: ResendResult['sent']
}

/**
 * Sends the event of one logged attempt again, as a new delivery with its own attempts. The receiver sees the
 * same webhook-id. If a retry is planned, it is made now instead of a second delivery; if the delivery is
 * held, it becomes due, or its endpoint is probed. A repeat with the same `Idempotency-Key` does nothing
 * more, whatever has become of the delivery.
 * @throws AppError not_found, conflict
 */
export async function resendDelivery(
  context: ServerContext,
  caller: Principal,
  logId: string,
  idempotencyKey: string | undefined,
): Promise<ResendResult> {
  const log = await findDeliveryLog(context.db, caller.user_id, logId)
  if (log === undefined) throw new AppError('not_found', 'Delivery not found')
  const config = await requireWebhookConfig(context, caller, log.webhook_config_id)
  const isOpen = log.delivery_state === 'held' || log.delivery_state === 'pending'
  const asked = {
    user_id: caller.user_id,
    operation: 'delivery.resend',
    key: idempotencyKey,
    content: logId,
    ...(isOpen ? { id: log.delivery_id } : {}),
  }
  let moved: Moved = { due: [], hurried: [], sent: log.delivery_state === 'held' ? 'probe' : 'now' }
  const { id } = await createOnce(context, asked, async (trx, newId) => {
    refuseResend(log, config)
    moved = await setInMotion(trx, caller.user_id, log, newId)
  })
  context.announce.deliveries(moved.due)
  context.announce.deliveries(moved.hurried)
  return { delivery_id: id, sent: id === log.delivery_id ? moved.sent : 'again' }
}

/** @throws AppError conflict if it cannot be sent now */
function refuseResend(log: LoggedAttempt, config: WebhookConfigRow): void {
  const refuse = (reason: string): never => {
    throw new AppError('conflict', reason)
  }
  if (log.bodies === 'erased') refuse('This lead was erased. Nothing is left to send.')
  if (log.bodies === 'returned') refuse('This lead was returned. It is not sent again.')
  if (!config.is_active) refuse('The webhook is switched off. Activate it first.')
  if (config.sending_pause_reason !== null) refuse(sayPaused(config.sending_pause_reason))
  if (log.is_sending) refuse('This delivery is being sent right now. Wait for its result.')
  // Events beside the lead do not wait for sending hours.
  const hours = isClientEvent(log.event_type) ? null : hoursOf(config)
  const now = new Date()
  // Offered deliveries now wait for the sending hours; those that already wait for them are not moved
  // forward.
  if (
    hours !== null &&
    log.offered_until === null &&
    (log.delivery_state === 'held' || log.delivery_state === 'pending')
  ) {
    const opens = findSendingTime(hours, null, now)
    if (opens > now)
      refuse(
        `It waits for the sending hours of this webhook, and goes out at ${sayWhen(hours.timezone, opens, now)}.`,
      )
    const planned = new Date(log.next_attempt_at ?? now)
    if (hours.when_callable === true && planned > now && isOpening(hours, planned))
      refuse(`This lead may not be called yet. It goes out at ${sayWhen(hours.timezone, planned, now)}.`)
  }
  if (log.delivery_state !== 'held' && log.delivery_status === 'pending')
    refuse('This delivery is still waiting to be sent.')
}

/** Run it in a transaction. @param newId the id of a new delivery */
async function setInMotion(trx: Db, client: string, log: LoggedAttempt, newId: string): Promise<Moved> {
  if (log.delivery_state === 'held') {
    const released = await releaseHeldDelivery(trx, client, log.delivery_id)
    if (released !== undefined) return { due: [released], hurried: [], sent: 'now' }
    // Its endpoint did not answer. By pressing the button, the client says that it does now, and accepts the
    // delivery if it was only offered.
    await acceptOffered(trx, client, { delivery_id: log.delivery_id })
    return { due: await releaseHeldOf(trx, log.webhook_config_id), hurried: [], sent: 'probe' }
  }
  if (log.delivery_state === 'pending') {
    const retry = await hurryRetry(trx, client, log.delivery_id)
    if (retry === undefined)
      throw new AppError('conflict', 'The next attempt of this delivery is due already.')
    return { due: [], hurried: [retry], sent: 'now' }
  }
  if (await lockForResend(trx, client, log.delivery_id))
    throw new AppError('conflict', 'It is being sent again already.')
  const { event_type, lead_id, webhook_config_id } = log
  const isOfLead = lead_id !== null && !isClientEvent(event_type)
  if (isOfLead && (await isKeptFromWebhook(trx, { lead_id, webhook_config_id })))
    throw new AppError(
      'conflict',
      'This lead is another person’s now, so it is not sent to this webhook again.',
    )
  const due = await insertResend(trx, client, log.delivery_id, newId)
  if (due === undefined && (await isRevokedFor(trx, { lead_id, client_user_id: client })))
    throw new AppError('conflict', 'The person of this lead revoked consent. It is not sent again.')
  if (due === undefined) throw new AppError('not_found', 'Delivery not found')
  return { due: [due], hurried: [], sent: 'again' }
}

/**
 * Sends again what finally failed since a moment, and makes planned retries at once; with `dry_run` it only
 * counts them. A repeat with the same `Idempotency-Key` returns the first call's replay, and continues it if
 * it was interrupted.
 * @throws AppError not_found, conflict
 */
export async function resendFailed(
  context: ServerContext,
  caller: Principal,
  configId: string,
  given: { since: Date; dry_run: boolean; idempotencyKey: string | undefined },
): Promise<ResendFailedResult> {
  const what = { client: caller.user_id, webhook_config_id: configId, since: given.since }
  if (given.dry_run) {
    await requireWebhookConfig(context, caller, configId)
    return describeReplay(null, await countFailed(context.db, what))
  }
  const asked = {
    user_id: caller.user_id,
    operation: 'delivery.resend_failed',
    key: given.idempotencyKey,
    content: `${configId} ${given.since.toISOString()}`,
  }
  const config = await requireWebhookConfig(context, caller, configId)
  const sendInLane = async () => {
    const { id } = await createOnce(context, asked, async (trx, replayId) => {
      if (!config.is_active) throw new AppError('conflict', 'The webhook is switched off. Activate it first.')
      if (config.sending_pause_reason !== null)
        throw new AppError('conflict', sayPaused(config.sending_pause_reason))
      await insertReplay(trx, replayId, what)
    })
    // A repeat continues an interrupted replay.
    if (await isReplayOpen(context.db, id)) await replay(context, id, what)
    return describeReplay(id, await readReplaySize(context.db, caller.user_id, id))
  }
  return await outsideQueue(() => inReplayLane(caller.user_id, sendInLane))
}

/** One replay of an account at a time. */
const inReplayLane = limitParallelEach(1, 20, () => {
  const detail = 'What has failed is being sent again already. Wait until that is done.'
  return new AppError('rate_limited', detail, { retryAfterSeconds: 5 })
})

/**
 * Runs in chunks of one transaction each, which take turns with those of other replays and rest while single
 * leads arrive. If this server ends midway, what it has not reached is still failed; a repeat or the next
 * replay sends it.
 */
async function replay(context: ServerContext, replayId: string, what: FailedSince): Promise<void> {
  const transact = <Result>(work: (trx: Db) => Promise<Result>): Promise<Result> =>
    repeatOnConflict(() => context.db.transaction().execute(work))
  for (const makePiece of [resendPiece, hurryPiece]) {
    let after: ReplayPlace | undefined
    do {
      const { due, next } = await context.admission.inReplayQueue(() =>
        transact((trx) => makePiece(trx, replayId, what, after)),
      )
      context.announce.deliveries(due)
      after = next
    } while (after !== undefined)
  }
  const released = await transact(async (trx) => {
    const place = await lockReplay(trx, replayId, what.webhook_config_id)
    if (place === undefined) return []
    await endReplay(trx, replayId)
    return await releaseHeldOf(trx, what.webhook_config_id)
  })
  context.announce.deliveries(released)
}

function describeReplay(
  id: string | null,
  { resent, hurried }: { resent: number; hurried: number },
): ResendFailedResult {
  const count = resent + hurried
  return { count, resent, hurried, replay_id: count === 0 ? null : id }
}

const sayPaused = (reason: string): string => `Sending is paused by Leadwire: ${reason}`
