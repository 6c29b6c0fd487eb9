import type { Db } from '#core/data/database.ts'
import { stopRecharge } from '#core/data/market/payments/auto-recharge.ts'
import { tellClient } from '#core/use-cases/market/tell-client.ts'

/**
 * Switches a client's auto-recharge off if it is on, and tells the client why.
 * @param key names the cause, so that each cause is told once
 */
export async function endRecharge(trx: Db, userId: string, reason: string, key: string): Promise<void> {
  if (!(await stopRecharge(trx, userId, reason))) return
  await tellClient(trx, userId, { template: 'recharge_stopped', data: { reason } }, key)
}
