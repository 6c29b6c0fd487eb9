import { sql } from 'kysely'
import type { Db } from '../database.ts'
import { cheapestOf } from './balance.ts'
import { rechargeWishOf, type StandingRecharge } from './payments/recharge-wish.ts'

/** Clients whose funds need judging, those that have waited longest first. */
export async function listDueFunding(db: Db, limit: number): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select client_user_id as id from client_funding where due_at <= now() order by due_at limit ${limit}`.execute(
    db,
  )
  return rows.map(({ id }) => id)
}

/** Marks a client's funds for judging. */
export async function lookAtFunding(db: Db, userId: string): Promise<void> {
  await sql`
    insert into client_funding (client_user_id, due_at) values (${userId}, now())
    on conflict (client_user_id) do update set due_at = excluded.due_at where client_funding.due_at is null`.execute(
    db,
  )
}

/**
 * Marks clients whose auto-recharge has something to do although no money moved: a month has begun, a failure is long
 * enough ago, or an account was approved.
 */
export async function lookAtLowAccounts(db: Db): Promise<void> {
  await sql`
    insert into client_funding (client_user_id, due_at)
    select a.user_id, now() from client_accounts a join profiles p on p.user_id = a.user_id
    where a.auto_recharge_enabled and (p.balance < a.auto_recharge_threshold
      -- A balance above the dearest lead needs no look at the client's own prices.
      or p.balance < (select max(dearest) from (select max(greatest(price, floor_price)) as dearest from lead_types
          union all select max(price) from lead_prices union all select max(price) from orders where deleted_at is null) prices)
        and p.balance < (${cheapestOf('a.user_id', 'running')}))
    order by a.user_id
    on conflict (client_user_id) do update set due_at = excluded.due_at where client_funding.due_at is null`.execute(
    db,
  )
}

/**
 * A client's funds, read under the lock of the balance: `cheapest` is the lowest price that one of its orders may pay
 * for a lead. Dollars as text.
 */
export interface FundingToJudge extends StandingRecharge {
  low_balance_threshold: string
  cheapest: string | null
  /** the notice that the client got last */
  told: 'available' | 'limited' | 'out'
  /** the entry after which the balance was read */
  last_entry: string | null
  /** whether a charge is under way */
  is_charging: boolean
  /** whether a charge is under way, or one has failed so recently that none is begun */
  is_recharge_resting: boolean
}

/**
 * Takes the funds of a client, with locks in the order of every transaction that moves money; undefined if another
 * worker took them meanwhile.
 */
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
        and failure is null) as is_charging, ${rechargeWishOf(null)} as recharge,
      a.auto_recharge_not_before > now() is true or exists (
        select from payments where client_user_id = a.user_id and kind = 'auto_recharge' and status = 'pending') as is_recharge_resting
    from profiles p join client_accounts a on a.user_id = p.user_id join auth.users u on u.id = p.user_id
    join client_funding f on f.client_user_id = p.user_id
    where p.user_id = ${userId}`.execute(trx)
  return rows[0]
}

/** Under the lock of {@link takeFunding}. */
export async function noteTold(trx: Db, userId: string, told: FundingToJudge['told']): Promise<void> {
  await trx.updateTable('client_funding').set({ told }).where('client_user_id', '=', userId).execute()
}
