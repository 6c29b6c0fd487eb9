import { randomUUID } from 'node:crypto'
import { sql, type Kysely } from 'kysely'
import type { Database } from '#core/data/schema/tables.ts'
import { givenClient } from './pipeline.ts'

/** A client who may buy, with this on his balance. */
export async function givenBuyer(db: Kysely<Database>, balance = '1000.00'): Promise<string> {
  const client = await givenClient(db)
  await db.updateTable('client_accounts').set({ status: 'active' }).where('user_id', '=', client).execute()
  if (Number(balance) > 0) await topUp(db, client, balance)
  return client
}

export async function topUp(db: Kysely<Database>, client: string, amount: string): Promise<void> {
  await db
    .insertInto('balance_ledger')
    .values({ client_user_id: client, entry_type: 'top_up', amount, reference_id: randomUUID() })
    .execute()
}

/** An order for all that there is, but for what is said. */
export async function givenOrder(
  db: Kysely<Database>,
  client: string,
  fields: Partial<{
    name: string
    lead_type: string
    states: string[]
    daily_cap: number
    total_cap: number
    weight: number
    priority: number
    schedule: string
    timezone: string
    price: string
    paused_by: string
    age_min: number
    when_undelivered: 'keep' | 'return' | 'reoffer'
  }> = {},
): Promise<string> {
  const { id } = await db
    .insertInto('orders')
    .values({
      client_user_id: client,
      name: 'Example order',
      lead_type: 'final_expense',
      timezone: 'UTC',
      ...fields,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** Leads that are nobody's and are to be sold, as ingest leaves them. */
export async function givenOffers(
  db: Kysely<Database>,
  leads: readonly {
    state?: string
    phone?: string
    email?: string
    lead_type?: string
    source_id?: string
  }[],
): Promise<string[]> {
  const began = Date.now() - leads.length
  const rows = await db
    .insertInto('leads')
    .values(
      leads.map((lead, index) => ({
        lead_type: 'final_expense',
        state: 'CA',
        // In this order; ids of one millisecond have none.
        created_at: new Date(began + index),
        ...lead,
      })),
    )
    .returning('id')
    .execute()
  const ids = rows.map(({ id }) => id)
  await sql`insert into events (type, lead_id) select 'lead.offered', unnest(${ids}::uuid[])`.execute(db)
  return ids
}

/** Whatever contradicts itself in what was sold; empty where nothing does. */
export async function findContradictions(db: Kysely<Database>): Promise<unknown[]> {
  const { rows } = await sql`
    select 'balance' as what, p.user_id as of from profiles p
    where p.balance <> (select coalesce(sum(amount), 0) from balance_ledger where client_user_id = p.user_id) or p.balance < 0
    union all
    select 'chain', client_user_id from (
      select client_user_id, balance_after, sum(amount) over (partition by client_user_id order by id) as should from balance_ledger
    ) entries where balance_after <> should
    union all
    select 'charge', a.lead_id from lead_assignments a
    where a.order_id is not null and a.price <> coalesce((select -sum(amount) from balance_ledger
      where entry_type = 'lead_purchase' and reference_id = a.id::text), 0)
    union all
    select 'lead', l.id from leads l left join lead_assignments a on a.lead_id = l.id and a.state = 'active'
    where l.status <> 'returned' and ((l.status = 'assigned') is distinct from (a.id is not null) or l.assigned_to is distinct from a.client_user_id
      or l.price_charged is distinct from a.price or l.order_id is distinct from a.order_id)
    union all
    select 'credit', a.lead_id from lead_assignments a left join lead_returns r on r.assignment_id = a.id and r.status = 'approved'
    where a.order_id is not null and case when a.state = 'active' then 0 else a.price end <> coalesce((select sum(amount)
      from balance_ledger where entry_type = 'lead_return' and reference_id = r.id::text), 0)
    union all
    select 'tally', t.order_id from order_tallies t
    where t.total_leads <> (select count(*) from lead_assignments a where a.order_id = t.order_id)
    union all
    select 'cap', o.id from orders o join order_tallies t on t.order_id = o.id
    where t.total_leads > o.total_cap
    union all
    select 'told', a.lead_id from lead_assignments a where a.order_id is not null and (
      select count(*) from events e where e.lead_id = a.lead_id and e.client_user_id = a.client_user_id and e.type = 'lead.assigned') <> 1
    union all
    select 'person', a.id from leads a join leads b on a.phone = b.phone and a.lead_type = b.lead_type and a.id < b.id
    where a.order_id is not null and b.order_id is not null
  `.execute(db)
  return rows
}
