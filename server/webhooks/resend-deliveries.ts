import { randomUUIDv7 } from 'node:crypto'
import type { ResendFailedResult, ResendResult } from '#core/contract/webhooks/resend.ts'
import { releaseHeldOf } from '#core/data/webhooks/health/breakers.ts'
import { findDeliveryLog } from '#core/data/webhooks/logs/find-delivery-log.ts'
import type { DueDelivery } from '#core/data/webhooks/deliveries/plan-deliveries.ts'
import {
  countFailed,
  hurryRetry,
  insertResend,
  lockForResend,
  releaseHeldDelivery,
  replayFailed,
} from '#core/data/webhooks/deliveries/resend-deliveries.ts'
import { AppError } from '#core/errors.ts'
import type { Principal } from '../identity/find-live-session.ts'
import type { ServerContext } from '../context.ts'
import { createOnce } from '../http/create-once.ts'
import { repeatOnConflict } from '../http/repeat-on-conflict.ts'
import { requireWebhookConfig } from './save-webhook-config.ts'

/**
 * Sends the event of one logged attempt again, as a new delivery with its own attempts. The receiver sees the same
 * webhook-id. A delivery whose retry is planned is not doubled: its retry is made now. Nor is one that is held: it becomes due,
 * or its endpoint is tried.
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
  if (log.bodies === 'erased')
    throw new AppError('conflict', 'This lead was erased. Nothing is left to send.')
  const config = await requireWebhookConfig(context, caller, log.webhook_config_id)
  if (!config.is_active) throw new AppError('conflict', 'The webhook is switched off. Activate it first.')
  if (log.is_sending)
    throw new AppError('conflict', 'This delivery is being sent right now. Wait for its result.')
  if (log.delivery_state === 'held') {
    const released = await repeatOnConflict(() =>
      releaseHeldDelivery(context.db, caller.user_id, log.delivery_id),
    )
    if (released !== undefined) {
      context.announceDeliveries([released])
      return { delivery_id: log.delivery_id, sent: 'now' }
    }
    // Its endpoint did not answer. Whoever presses says that it does now.
    context.announceDeliveries(await repeatOnConflict(() => releaseHeldOf(context.db, config.id)))
    return { delivery_id: log.delivery_id, sent: 'probe' }
  }
  if (log.delivery_status === 'pending')
    throw new AppError('conflict', 'This delivery is still waiting to be sent.')
  if (log.delivery_state === 'pending') {
    const retry = await repeatOnConflict(() => hurryRetry(context.db, caller.user_id, log.delivery_id))
    if (retry === undefined)
      throw new AppError('conflict', 'The next attempt of this delivery is due already.')
    context.hurryDeliveries([retry])
    return { delivery_id: retry.delivery_id, sent: 'now' }
  }
  let committed: DueDelivery[] = []
  const { id } = await repeatOnConflict(() =>
    createOnce(
      context,
      { user_id: caller.user_id, operation: 'delivery.resend', key: idempotencyKey, content: logId },
      async (trx, id) => {
        if (await lockForResend(trx, caller.user_id, log.delivery_id))
          throw new AppError('conflict', 'It is being sent again already.')
        const due = await insertResend(trx, caller.user_id, log.delivery_id, id)
        if (due === undefined) throw new AppError('not_found', 'Delivery not found')
        committed = [due]
      },
    ),
  )
  context.announceDeliveries(committed)
  return { delivery_id: id, sent: 'again' }
}

/**
 * Sends again what finally failed since a moment, and at once what failed and was to be retried later; with `dry_run` only
 * counts it.
 * @throws AppError not_found, conflict
 */
export async function resendFailed(
  context: ServerContext,
  caller: Principal,
  configId: string,
  given: { since: Date; dry_run: boolean },
): Promise<ResendFailedResult> {
  const config = await requireWebhookConfig(context, caller, configId)
  const what = { client: caller.user_id, webhook_config_id: configId, since: given.since }
  if (given.dry_run) {
    const { resent, hurried } = await countFailed(context.db, what)
    return { count: resent + hurried, resent, hurried, replay_id: null }
  }
  if (!config.is_active) throw new AppError('conflict', 'The webhook is switched off. Activate it first.')
  const replayId = randomUUIDv7()
  const { resent, hurried, released } = await repeatOnConflict(() =>
    context.db.transaction().execute(async (trx) => ({
      ...(await replayFailed(trx, replayId, what)),
      released: await releaseHeldOf(trx, configId),
    })),
  )
  context.announceDeliveries([...resent, ...released])
  context.hurryDeliveries(hurried)
  const count = resent.length + hurried.length
  return {
    count,
    resent: resent.length,
    hurried: hurried.length,
    replay_id: count === 0 ? null : replayId,
  }
}
