import { sql } from 'kysely'
import type { Db } from '../../database.ts'

/** Begins a charge, unless one is under way: the provider is asked for it once this is committed. */
export async function insertCharge(
  trx: Db,
  charge: { client_user_id: string; amount: string; customer: string; method: string },
): Promise<void> {
  await sql`
    insert into payments (client_user_id, kind, method, amount, charge_customer, charge_method, ask_at)
    values (${charge.client_user_id}, 'auto_recharge', 'checkout', ${charge.amount}, ${charge.customer}, ${charge.method}, now())
    on conflict do nothing`.execute(trx)
}

/** A charge that this caller asks the provider about; no other worker does before its lease ends. */
export interface ClaimedCharge {
  id: string
  client_user_id: string
  amount: string
  customer: string
  method: string
  /** the provider's name for it, once the provider has given one */
  intent: string | null
  /** number of requests, this one included */
  asks: number
  begun: Date
  /** seconds since then */
  age: number
}

/**
 * Claims the charge that has waited longest.
 * @param leaseSeconds after this time another worker may ask, because this one has died
 */
export async function claimCharge(db: Db, leaseSeconds: number): Promise<ClaimedCharge | undefined> {
  const { rows } = await sql<ClaimedCharge>`
    update payments t set asks = t.asks + 1, ask_at = now() + make_interval(secs => ${leaseSeconds})
    where t.id = (
      select id from payments where ask_at <= now() and status = 'pending' and failure is null
      order by ask_at limit 1 for update skip locked)
    returning t.id, t.client_user_id, t.amount, t.charge_customer as customer, t.charge_method as method,
      t.provider_intent_id as intent, t.asks, t.created_at as begun,
      extract(epoch from now() - t.created_at)::float8 as age`.execute(db)
  return rows[0]
}

/** Schedules another request about a charge. */
export async function askAgain(db: Db, id: string, seconds: number): Promise<void> {
  await sql`
    update payments set ask_at = now() + make_interval(secs => ${seconds})
    where id = ${id} and status = 'pending' and failure is null`.execute(db)
}
