import { sql, type RawBuilder } from 'kysely'
import type { Db } from '../database.ts'
import { HELD_BACK } from '../webhooks/deliveries/rate-limits.ts'

/** The findings of one check: how many rows it looked at, how many are wrong, and the ids of some of them. */
export interface Verified {
  looked: number
  wrong: number
  ids: string[]
}

const NOTHING: Verified = { looked: 0, wrong: 0, ids: [] }
/** Beyond this the number of overdue rows does not matter. */
const MOST = 100_000

/** Compares each balance with the sum of its ledger. Reads the whole ledger. */
export async function verifyBalances(db: Db): Promise<Verified> {
  const { rows } = await sql<Verified>`
    with sums as (
      select client_user_id, sum(amount) as total, count(*) as entries from balance_ledger group by 1
    ), compared as (
      select p.user_id, p.balance <> coalesce(s.total, 0) as is_wrong
      from profiles p left join sums s on s.client_user_id = p.user_id
    )
    select coalesce((select sum(entries)::float8 from sums), 0) as looked, count(*) filter (where is_wrong)::int as wrong,
      coalesce((array_agg(user_id::text) filter (where is_wrong))[1:5], '{}') as ids
    from compared`.execute(db)
  return rows[0] ?? NOTHING
}

/** Every sale for money has its entry in the ledger, with its price. Reads all assignments and the ledger. */
export async function verifySales(db: Db): Promise<Verified> {
  return await countWrong(
    db,
    sql`
      select a.id, a.price > 0 and paid.amount is distinct from -a.price as is_wrong
      from lead_assignments a
      left join balance_ledger paid on paid.entry_type = 'lead_purchase' and paid.reference_id = a.id::text`,
  )
}

/**
 * Every late credit belongs to a late lead, with its price, and with a later return it makes no more than the price.
 * Reads the late leads and their entries.
 */
export async function verifyLateCredits(db: Db): Promise<Verified> {
  return await countWrong(
    db,
    sql`
      select coalesce(e.reference_id, k.assignment_id::text) as id, k.price is distinct from e.amount
        or e.amount + coalesce(back.amount, 0) > a.price as is_wrong
      from (select * from late_leads where credit = 'credited') k
      full join (select * from balance_ledger where entry_type = 'late_credit') e on e.reference_id = k.assignment_id::text
      left join lead_assignments a on a.id = k.assignment_id
      left join lead_returns r on r.assignment_id = a.id and r.status = 'approved'
      left join balance_ledger back on back.entry_type = 'lead_return' and back.reference_id = r.id::text`,
  )
}

/**
 * Every lead belongs to the client of its active assignment. Without one it belongs to nobody, unless it was returned: it
 * then keeps the name of the client that had it. A sold lead has one, a held one has none. Reads all leads and assignments.
 */
export async function verifyLeads(db: Db): Promise<Verified> {
  return await countWrong(
    db,
    sql`
      select l.id, case when a.id is null
        then l.status = 'assigned' or (l.assigned_to is not null and l.status not in ('returned', 'redacted'))
        else l.assigned_to is distinct from a.client_user_id or l.status = 'unassigned' end as is_wrong
      from leads l left join lead_assignments a on a.lead_id = l.id and a.state = 'active'`,
  )
}

/** Every delivery has a known state, a pending one a time, and a finished one its end. Reads all deliveries. */
export async function verifyDeliveries(db: Db): Promise<Verified> {
  return await countWrong(
    db,
    sql`
      select id, not coalesce(case state when 'pending' then next_attempt_at is not null when 'held' then true
        when 'cancelled' then true when 'delivered' then finished_at is not null when 'failed' then finished_at is not null
        end, false) as is_wrong
      from webhook_deliveries`,
  )
}

/**
 * Deliveries that have been due for longer and that no worker has, and those whose lease ended that long ago, except
 * those that wait for the limit of their endpoint; `looked` is all that wait. Reads an index of pending ones, up to
 * {@link MOST}.
 */
export async function verifyDue(db: Db, seconds: number): Promise<Verified> {
  return await countWrong(
    db,
    sql`
      select id, next_attempt_at < now() - make_interval(secs => ${seconds})
        and (lease_until is null or lease_until < now() - make_interval(secs => ${seconds}))
        and webhook_config_id <> all(${HELD_BACK}) as is_wrong
      from webhook_deliveries where state = 'pending' order by next_attempt_at limit ${MOST}`,
  )
}

/**
 * Events that wait to be planned for longer, or that were given up; `looked` is all that are not planned. Reads an index,
 * up to {@link MOST}.
 * @param types the types that this version consumes
 */
export async function verifyEvents(db: Db, types: readonly string[], seconds: number): Promise<Verified> {
  return await countWrong(
    db,
    sql`
      select id, failed_at is not null
        or (type = any(${[...types]}::text[]) and created_at < now() - make_interval(secs => ${seconds})) as is_wrong
      from events where planned_at is null order by created_at limit ${MOST}`,
  )
}

/** The log has its partitions of this week and the next, and no row is outside of them. `ids` are their names. */
export async function verifyPartitions(db: Db): Promise<Verified> {
  return await countWrong(
    db,
    sql`
      select name as id, to_regclass(name) is null as is_wrong from (
        select kind || '_' || to_char(date_trunc('week', now() at time zone 'utc') + make_interval(weeks => week), 'YYYYMMDD') as name
        from unnest(array['webhook_delivery_logs', 'webhook_delivery_log_bodies']) as kind, generate_series(0, 1) as week
      ) wanted
      union all select 'webhook_delivery_logs_default', exists (select from webhook_delivery_logs_default)
      union all select 'webhook_delivery_log_bodies_default', exists (select from webhook_delivery_log_bodies_default)`,
  )
}

/** @param looked a query with `id` and `is_wrong` */
async function countWrong(db: Db, looked: RawBuilder<unknown>): Promise<Verified> {
  const { rows } = await sql<Verified>`
    select count(*)::float8 as looked, count(*) filter (where is_wrong)::int as wrong,
      coalesce((array_agg(id::text) filter (where is_wrong))[1:5], '{}') as ids
    from (${looked}) looked`.execute(db)
  return rows[0] ?? NOTHING
}
