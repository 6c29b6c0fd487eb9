import {
  cancelDeliveries,
  countCancellable,
  type Cancellable,
} from '#core/data/webhooks/deliveries/cancel-deliveries.ts'
import { CANCEL_BATCH } from '#core/data/webhooks/deliveries/offered-deliveries.ts'
import { findDeliveryLog } from '#core/data/webhooks/logs/find-delivery-log.ts'
import { stopReplay, stopReplaysOf } from '#core/data/webhooks/deliveries/replays.ts'
import { AppError } from '#core/errors.ts'
import type { Principal } from '../identity/find-live-session.ts'
import type { ServerContext } from '../context.ts'
import { repeatOnConflict } from '#core/data/repeat-on-conflict.ts'
import { requireWebhookConfig } from './configs/require-webhook-config.ts'

/**
 * Cancels one delivery that has not arrived yet. Its job finds it cancelled; a request in progress is
 * finished and logged.
 * @throws AppError not_found, conflict
 */
export async function cancelDelivery(
  context: ServerContext,
  caller: Principal,
  logId: string,
): Promise<{ delivery_id: string; is_sending: boolean }> {
  const log = await findDeliveryLog(context.db, caller.user_id, logId)
  if (log === undefined) throw new AppError('not_found', 'Delivery not found')
  const which = { delivery_id: log.delivery_id }
  const [cancelled] = await repeatOnConflict(() =>
    cancelDeliveries(context.db, caller.user_id, which, caller.person_id),
  )
  if (cancelled === undefined)
    throw new AppError('conflict', 'This delivery is finished; there is nothing left to cancel.')
  return cancelled
}

/** Cancels everything that a configuration still has to send; with `dry_run` only counts it. */
export async function cancelWaiting(
  context: ServerContext,
  caller: Principal,
  configId: string,
  given: { dry_run: boolean },
): Promise<{ count: number }> {
  await requireWebhookConfig(context, caller, configId)
  const which = { webhook_config_id: configId }
  if (given.dry_run) return { count: await countCancellable(context.db, caller.user_id, which) }
  await stopReplaysOf(context.db, caller.user_id, configId)
  return { count: await cancelAll(context, caller, which) }
}

/** Cancels the unsent deliveries of a replay. Their failed originals can be resent later. */
export async function cancelReplay(
  context: ServerContext,
  caller: Principal,
  replayId: string,
): Promise<{ count: number }> {
  if (!(await stopReplay(context.db, caller.user_id, replayId)))
    throw new AppError('not_found', 'Resend not found')
  return { count: await cancelAll(context, caller, { replay_id: replayId }) }
}

/** Cancels all deliveries, a batch at a time. @returns how many */
export async function cancelAll(
  context: ServerContext,
  caller: Principal,
  which: Cancellable,
): Promise<number> {
  let count = 0
  for (;;) {
    const batch = await repeatOnConflict(() =>
      cancelDeliveries(context.db, caller.user_id, which, caller.person_id),
    )
    count += batch.length
    if (batch.length < CANCEL_BATCH) return count
  }
}
