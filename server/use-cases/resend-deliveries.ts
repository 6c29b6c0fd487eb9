import { findDeliveryLog } from '#core/data/delivery-logs.ts'
import type { DueDelivery } from '#core/data/plan-deliveries.ts'
import { countFailedDeliveries, insertResend, insertResends } from '#core/data/resend-deliveries.ts'
import { AppError } from '#core/errors.ts'
import type { Principal } from '../authenticate.ts'
import type { ServerContext } from '../context.ts'
import { createOnce } from './create-once.ts'
import { requireWebhookConfig } from './save-webhook-config.ts'

/**
 * Sends the event of one logged attempt again, as a new delivery with its own attempts. The receiver sees the same
 * webhook-id.
 * @throws AppError not_found, conflict
 */
export async function resendDelivery(
  context: ServerContext,
  caller: Principal,
  logId: string,
  idempotencyKey: string | undefined,
): Promise<{ delivery_id: string }> {
  const log = await findDeliveryLog(context.db, caller.user_id, logId)
  if (log === undefined) throw new AppError('not_found', 'Delivery not found')
  if (log.request === null)
    throw new AppError('conflict', 'This delivery is still waiting for its first attempt.')
  const config = await requireWebhookConfig(context, caller, log.webhook_config_id)
  if (!config.is_active) throw new AppError('conflict', 'The webhook is switched off. Activate it first.')
  const committed: DueDelivery[] = []
  const { id } = await createOnce(
    context,
    { user_id: caller.user_id, operation: 'delivery.resend', key: idempotencyKey, content: logId },
    async (trx, id) => {
      const due = await insertResend(trx, caller.user_id, log.delivery_id, id)
      if (due === undefined) throw new AppError('not_found', 'Delivery not found')
      committed.push(due)
    },
  )
  context.announceDeliveries(committed)
  return { delivery_id: id }
}

/** Sends again what finally failed since a moment; with `dry_run` only counts it. */
export async function resendFailed(
  context: ServerContext,
  caller: Principal,
  configId: string,
  given: { since: Date; dry_run: boolean },
): Promise<{ count: number }> {
  const config = await requireWebhookConfig(context, caller, configId)
  if (given.dry_run) {
    return { count: await countFailedDeliveries(context.db, caller.user_id, configId, given.since) }
  }
  if (!config.is_active) throw new AppError('conflict', 'The webhook is switched off. Activate it first.')
  const due = await context.db
    .transaction()
    .execute((trx) => insertResends(trx, caller.user_id, configId, given.since))
  context.announceDeliveries(due)
  return { count: due.length }
}
