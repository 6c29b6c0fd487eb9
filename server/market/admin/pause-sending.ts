import type { AdminClientDetail } from '#core/contract/market/admin-client.ts'
import { releaseHeldOf } from '#core/data/webhooks/health/breakers.ts'
import { pauseSending, resumeSending } from '#core/data/webhooks/pause-sending.ts'
import type { DueDelivery } from '#core/data/webhooks/deliveries/plan-deliveries.ts'
import type { OperatorContext } from '../../operator-context.ts'
import { auditChange, type By } from '../audit-change.ts'
import { changeClient } from './change-client.ts'

/**
 * Pauses all sending to a client. Requests under way end as they end; everything else waits as held, also what
 * comes meanwhile, and nothing is lost. A repeat with another reason replaces the reason.
 * @throws AppError not_found, conflict for an erased account
 */
export async function pauseSendingTo(
  context: OperatorContext,
  by: By,
  id: string,
  { reason, note }: { reason: string; note: string | null },
): Promise<AdminClientDetail> {
  return await changeClient(context, id, async (trx, { sending_pause_reason: before }) => {
    if (before === reason) return
    await pauseSending(trx, id, reason)
    const details = { before: { sending_pause: before }, after: { sending_pause: reason }, note }
    await auditChange(trx, by, { action: 'sending_paused', client: id, details })
  })
}

/**
 * Ends the pause: what is held is due at once, and sent to each endpoint as fast as it answers.
 * @throws AppError not_found, conflict for an erased account
 */
export async function resumeSendingTo(
  context: OperatorContext,
  by: By,
  id: string,
  note: string,
): Promise<AdminClientDetail> {
  let released: DueDelivery[] = []
  const client = await changeClient(context, id, async (trx, { sending_pause_reason: before }) => {
    released = []
    if (before === null) return
    for (const webhook of await resumeSending(trx, id)) released.push(...(await releaseHeldOf(trx, webhook)))
    const details = { before: { sending_pause: before }, after: { sending_pause: null }, note }
    await auditChange(trx, by, { action: 'sending_resumed', client: id, details })
  })
  context.announce.deliveries(released)
  return client
}
