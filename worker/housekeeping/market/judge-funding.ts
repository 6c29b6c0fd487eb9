import { insertCharge } from '#core/data/market/payments/charges.ts'
import {
  listDueFunding,
  noteTold,
  takeFunding,
  type FundingToJudge,
} from '#core/data/market/client-funding.ts'
import { writeClientEvents } from '#core/data/outbox/write-client-events.ts'
import { tellClient } from '#core/use-cases/market/tell-client.ts'
import type { Db } from '#core/data/database.ts'
import { repeatOnConflict } from '#core/data/repeat-on-conflict.ts'
import { requireCents } from '#core/domain/market/cents.ts'
import { judgeFunding as judgeFunds } from '#core/domain/market/judge-funding.ts'
import { judgeNotice } from '#core/domain/market/notices/judge-notice.ts'
import { judgeStandingRecharge } from '#core/use-cases/market/money/judge-standing-recharge.ts'
import type { WorkerContext } from '#worker/context.ts'

const MOST_AT_ONCE = 100

/**
 * Examines balances that an entry may have brought across a line (migrations/20261123005210-charge-by-itself.ts). It
 * begins the charge of an auto-recharge, or tells the client which line was crossed. Without a payment provider it only
 * tells the client. Each balance is examined in one transaction under its lock, so several workers may do this at once.
 */
export async function judgeFunding(
  { db, paymentProvider }: Pick<WorkerContext, 'db' | 'paymentProvider'>,
  signal: AbortSignal,
): Promise<void> {
  const canCharge = paymentProvider !== undefined
  let clients: string[]
  do {
    clients = await listDueFunding(db, MOST_AT_ONCE)
    for (const client of clients) {
      await repeatOnConflict(() => db.transaction().execute((trx) => judge(trx, client, canCharge)))
      if (signal.aborted) return
    }
  } while (clients.length === MOST_AT_ONCE)
}

async function judge(trx: Db, client: string, canCharge: boolean): Promise<void> {
  const funding = await takeFunding(trx, client)
  if (funding === undefined) return
  const isCharging = canCharge && ((await recharge(trx, client, funding)) || funding.is_charging)
  // After a charge the client is told its result, and the funds are judged again.
  if (!isCharging) await tell(trx, client, funding)
}

async function tell(
  trx: Db,
  client: string,
  { balance, low_balance_threshold: threshold, cheapest, told, last_entry }: FundingToJudge,
): Promise<void> {
  const now = judgeFunds({
    balance: requireCents(balance),
    threshold: requireCents(threshold),
    cheapest: cheapest === null ? null : requireCents(cheapest),
  })
  if (now === told) return
  await noteTold(trx, client, now)
  const key = `entry-${last_entry}`
  const template = judgeNotice(told, now)
  const about = { client_user_id: client, subject: { type: 'account', id: client } } as const
  if (template === 'low_balance') {
    await tellClient(trx, client, { template, data: { balance, threshold } }, key)
    const data = { balance: Number(balance), threshold: Number(threshold) }
    await writeClientEvents(trx, [{ ...about, type: 'balance.low', data }])
  }
  if (template === 'out_of_funds') {
    await tellClient(trx, client, { template, data: { balance, cheapest } }, key)
    await writeClientEvents(trx, [{ ...about, type: 'balance.out', data: { balance: Number(balance) } }])
  }
}

/** @returns whether a charge was begun */
async function recharge(trx: Db, client: string, funding: FundingToJudge): Promise<boolean> {
  const { recharge: wish, is_recharge_resting: isResting } = funding
  if (wish === null || isResting || judgeStandingRecharge(funding) !== 'charge') return false
  const { amount, customer, method } = wish
  await insertCharge(trx, { client_user_id: client, amount, customer, method })
  return true
}
