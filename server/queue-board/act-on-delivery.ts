import { randomUUID } from 'node:crypto'
import { findBoardDelivery, type BoardDelivery } from '#core/data/operations/board-deliveries.ts'
import type { Db } from '#core/data/database.ts'
import { redrivePiece } from '#core/data/operations/dead-letters.ts'
import { repeatOnConflict } from '#core/data/repeat-on-conflict.ts'
import { releaseHeldOf } from '#core/data/webhooks/health/breakers.ts'
import type { DueDelivery } from '#core/data/webhooks/deliveries/plan-deliveries.ts'
import { hurryRetry, releaseHeldDelivery } from '#core/data/webhooks/deliveries/resend-deliveries.ts'
import { AppError } from '#core/errors.ts'
import type { ServerContext } from '../context.ts'
import { auditChange, type By } from '../market/audit-change.ts'
import { waitsForHours } from './describe-job.ts'

/** The dashboard asks for no reason, so the audit log names the place. */
const NOTE = 'queue dashboard'

/**
 * Sends one dead letter again (`retry`), or a delivery that waits for its retry or is held at once (`promote`).
 * @throws AppError not_found; conflict if it is not, or not any more, in a state in which that can be done
 */
export async function actOnDelivery(
  context: ServerContext,
  by: By,
  { id, action, shard }: { id: string; action: 'retry' | 'promote'; shard: (client: string) => boolean },
): Promise<void> {
  const due = await repeatOnConflict(() =>
    context.db.transaction().execute(async (trx) => {
      const delivery = await findBoardDelivery(trx, id)
      if (delivery === undefined || !shard(delivery.client_user_id))
        throw new AppError('not_found', 'This queue has no such delivery.')
      const moved = action === 'retry' ? await redriveOne(trx, by, delivery) : await sendNow(trx, delivery)
      await auditChange(trx, by, {
        action: action === 'retry' ? 'dead_letters_redriven' : 'delivery_sent_now',
        client: delivery.client_user_id,
        details: {
          delivery_id: id,
          lead_id: delivery.lead_id,
          webhook_config_id: delivery.webhook_config_id,
          note: NOTE,
        },
      })
      return moved
    }),
  )
  context.announce.deliveries(due)
  context.operations.queueCounter.forget()
  context.logger.info({ by: by.caller.user_id, delivery_id: id, action }, 'acted on the queue dashboard')
}

async function redriveOne(trx: Db, { caller }: By, delivery: BoardDelivery): Promise<DueDelivery[]> {
  if (delivery.queue_state !== 'failed')
    throw conflict('Only a dead letter can be retried, and this is none any more.')
  requireSending(delivery)
  const redriven = { id: randomUUID(), administrator: caller.user_id, most: 1 }
  const { due } = await redrivePiece(trx, { ids: [delivery.id] }, redriven)
  if (due.length === 0) throw conflict('It was sent again meanwhile.')
  return due
}

async function sendNow(trx: Db, delivery: BoardDelivery): Promise<DueDelivery[]> {
  const { client_user_id: client, id } = delivery
  if (delivery.queue_state !== 'delayed')
    throw conflict('Only a delayed delivery can be promoted, and this is none any more.')
  if (delivery.offered_until !== null)
    throw conflict('It came while the webhook was off. Its client sends or discards it.')
  requireSending(delivery)
  if (waitsForHours(delivery)) throw conflict('It waits for the sending hours of its webhook.')
  if (delivery.state === 'held') {
    const released = await releaseHeldDelivery(trx, client, id)
    // Its endpoint does not answer, so it gets one try at once, and what is held follows if that is answered.
    return released === undefined ? await releaseHeldOf(trx, delivery.webhook_config_id) : [released]
  }
  const hurried = await hurryRetry(trx, client, id)
  if (hurried === undefined) throw conflict('Its next attempt is not a retry, or is due already.')
  return [hurried]
}

function requireSending({ is_active: isActive, is_paused: isPaused }: BoardDelivery): void {
  if (!isActive) throw conflict('Its webhook is switched off. Its client must switch it on first.')
  if (isPaused) throw conflict('Sending to this client is paused. Resume it first.')
}

const conflict = (reason: string): AppError => new AppError('conflict', reason)
