import type { Db } from '#core/data/database.ts'
import { countWebhooksLocked } from '#core/data/webhooks/count-webhooks.ts'
import { AppError } from '#core/errors.ts'

/**
 * Refuses configurations beyond those that a client may have (WEBHOOK_MAX_PER_CLIENT). A client that has more
 * since the limit was lowered keeps them all. Call it in the transaction that inserts.
 * @param further number of those that are to be inserted
 * @throws AppError too_many_webhooks
 */
export async function refuseTooMany(trx: Db, owner: string, max: number, further: number): Promise<void> {
  const count = await countWebhooksLocked(trx, owner)
  if (count + further <= max) return
  const allowed = max === 1 ? 'one webhook' : `${max} webhooks`
  throw new AppError(
    'too_many_webhooks',
    `An account may have ${allowed} at most, and yours has ${count}. ${further === 1 ? 'Delete one that you no longer need, then create this one.' : `There is no room for ${further} more.`}`,
  )
}
