import { sql } from 'kysely'
import type { Db } from '../database.ts'
import { cheapestOf } from './balance.ts'

/** Clients whose balance is to be looked at, those first that have waited longest. */
export async function listDueFunding(db: Db, limit: number): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select client_user_id as id from client_funding where due_at <= now() order by due_at limit ${limit}`.execute(
    db,
  )
  return rows.map(({ id }) => id)
}

/** Has a client's balance looked at. */
export async function lookAtFunding(db: Db, userId: string): Promise<void> {
  await sql`
    insert into client_funding (client_user_id, due_at) values (${userId}, now())
    on conflict (client_user_id) do update set due_at = excluded.due_at where client_funding.due_at is null`.execute(
    db,
  )
}

/**
 * Has those looked at whose auto-recharge has something to do though nothing has moved: a month has begun, a failure is long enough ago,
 * an account was approved.
 */
export async function lookAtLowAccounts(db: Db): Promise<void> {
  await sql`
    insert into client_funding (client_user_id, due_at)
    select a.user_id, now() from client_accounts a join profiles p on p.user_id = a.user_id
    where a.auto_recharge_enabled and p.balance < a.auto_recharge_threshold
    order by a.user_id
    on conflict (client_user_id) do update set due_at = excluded.due_at where client_funding.due_at is null`.execute(
    db,
  )
}

/** A client's funds under the lock of his balance. Amounts are dollars as text. */
export interface FundingToJudge {
  balance: string
  low_balance_threshold: string
  /** the least that one of his orders may pay for a lead; null without an order */
  cheapest: string | null
  /** what he was told last */
  told: 'available' | 'limited' | 'out'
  /** the entry that the balance is of */
  last_entry: string | null
  /** a charge is under way */
  is_charging: boolean
  /** null: off, not agreed to in these amounts, not to be tried yet, without a way of paying, or under way already */
  recharge: {
    threshold: string
    amount: string
    monthly_max: string
    charged_this_month: string
    customer: string
    method: string
  } | null
}

/** Takes what is to be looked at, in the order of locks that whoever moves money keeps; undefined where that was done meanwhile. */
export async function takeFunding(trx: Db, userId: string): Promise<FundingToJudge | undefined> {
  await sql`select from profiles where user_id = ${userId} for no key update`.execute(trx)
  const taken = await sql`
    update client_funding set due_at = null where client_user_id = ${userId} and due_at is not null returning 1`.execute(
    trx,
  )
  if (taken.rows.length === 0) return undefined
  const { rows } = await sql<FundingToJudge>`
    select p.balance, a.low_balance_threshold, (${cheapestOf('p.user_id')}) as cheapest, f.told,
      (select max(id)::text from balance_ledger where client_user_id = p.user_id) as last_entry,
      exists (select from payments where client_user_id = a.user_id and kind = 'auto_recharge' and status = 'pending'
        and failure is null) as is_charging, (
      select jsonb_build_object('threshold', a.auto_recharge_threshold::text, 'amount', a.auto_recharge_amount::text,
        'monthly_max', a.auto_recharge_monthly_max::text, 'customer', c.customer_id, 'method', c.method_id,
        'charged_this_month', (
          select coalesce(sum(amount), 0.00)::text from payments
          where client_user_id = a.user_id and kind = 'auto_recharge' and status in ('pending', 'received')
            and created_at >= date_trunc('month', now() at time zone a.timezone) at time zone a.timezone))
      from payment_customers c join lateral (
        select threshold, amount, monthly_max from auto_recharge_agreements
        where client_user_id = a.user_id order by agreed_at desc, id desc limit 1) agreed
        on agreed.threshold = a.auto_recharge_threshold and agreed.amount = a.auto_recharge_amount
          and agreed.monthly_max = a.auto_recharge_monthly_max
      where c.client_user_id = a.user_id and c.method_id is not null and a.auto_recharge_enabled
        and a.status = 'active' and p.status = 'active' and u.deleted_at is null
        and coalesce(a.auto_recharge_not_before <= now(), true)
        and not exists (select from payments where client_user_id = a.user_id and kind = 'auto_recharge' and status = 'pending')
    ) as recharge
    from profiles p join client_accounts a on a.user_id = p.user_id join auth.users u on u.id = p.user_id
    join client_funding f on f.client_user_id = p.user_id
    where p.user_id = ${userId}`.execute(trx)
  return rows[0]
}

/** Under the lock of {@link takeFunding}. */
export async function noteTold(trx: Db, userId: string, told: FundingToJudge['told']): Promise<void> {
  await trx.updateTable('client_funding').set({ told }).where('client_user_id', '=', userId).execute()
}
