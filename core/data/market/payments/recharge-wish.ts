import { sql } from 'kysely'
import type { Db } from '../../database.ts'
import { cheapestOf } from '../balance.ts'

/** The amounts that an auto-recharge may charge, in dollars as text, and the payment method. */
export interface RechargeWish {
  threshold: string
  amount: string
  monthly_max: string
  charged_this_month: string
  customer: string
  method: string
  /**
   * the lowest price that an order which is not paused may pay for a lead, if the client agreed to a charge below it;
   * otherwise null
   */
  cheapest: string | null
}

/**
 * SQL on an account `a`, its profile `p` and its user `u`: the amount that may be charged to it. It is null if the
 * auto-recharge is off or the account may not buy. It is also null if the last agreement has other amounts or another
 * payment method than the account has now.
 * @param except a payment that does not count as charged
 */
export function rechargeWishOf(except: string | null) {
  return sql<RechargeWish | null>`(
    select jsonb_build_object('threshold', a.auto_recharge_threshold::text, 'amount', a.auto_recharge_amount::text,
      'monthly_max', a.auto_recharge_monthly_max::text, 'customer', c.customer_id, 'method', c.method_id,
      'cheapest', case when agreed.covers_price then (${cheapestOf('a.user_id', 'running')})::text end, 'charged_this_month', (
        select coalesce(sum(amount), 0.00)::text from payments
        where client_user_id = a.user_id and kind = 'auto_recharge' and status in ('pending', 'received')
          and id is distinct from ${except}::uuid
          and created_at >= date_trunc('month', now() at time zone a.timezone) at time zone a.timezone))
    from payment_customers c join lateral (
      select threshold, amount, monthly_max, method_id, agreed_at, covers_price from auto_recharge_agreements
      where client_user_id = a.user_id order by agreed_at desc, id desc limit 1) agreed
      on agreed.threshold = a.auto_recharge_threshold and agreed.amount = a.auto_recharge_amount
        and agreed.monthly_max = a.auto_recharge_monthly_max
        and case when agreed.method_id is null then agreed.agreed_at >= c.saved_at else agreed.method_id = c.method_id end
    where c.client_user_id = a.user_id and c.method_id is not null and a.auto_recharge_enabled
      and a.status = 'active' and p.status = 'active' and u.deleted_at is null)`
}

/** The charge that a client allows at this moment, and the balance that decides whether it is needed. */
export interface StandingRecharge {
  balance: string
  recharge: RechargeWish | null
}

/** @param except a payment that does not count as charged */
export async function readRecharge(
  db: Db,
  userId: string,
  except: string,
): Promise<StandingRecharge | undefined> {
  const { rows } = await sql<StandingRecharge>`
    select p.balance, ${rechargeWishOf(except)} as recharge
    from profiles p join client_accounts a on a.user_id = p.user_id join auth.users u on u.id = p.user_id
    where p.user_id = ${userId}`.execute(db)
  return rows[0]
}
