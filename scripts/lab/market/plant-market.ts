import { randomUUID } from 'node:crypto'
import { sql, type Insertable } from 'kysely'
import type { Db } from '#core/data/database.ts'
import type { EventToEnqueue } from '#core/data/outbox/events.ts'
import type { OrdersTable } from '#core/data/schema/market-tables.ts'

/** Adds clients who may buy, with this balance. */
export async function plantBuyers(db: Db, count: number, balance: number): Promise<string[]> {
  const ids = Array.from({ length: count }, () => randomUUID())
  await sql`
    insert into auth.users (id, email) select id, id || '@example.com' from unnest(${ids}::uuid[]) as id`.execute(
    db,
  )
  await sql`
    insert into profiles (user_id, email, name)
    select id, id || '@example.com', 'Example Client' from unnest(${ids}::uuid[]) as id`.execute(db)
  await openAccounts(db, ids, balance)
  return ids
}

/** Lets existing clients buy, and gives each this balance. */
export async function openAccounts(db: Db, clients: readonly string[], balance: number): Promise<void> {
  await sql`update client_accounts set status = 'active' where user_id = any(${[...clients]}::uuid[])`.execute(
    db,
  )
  await sql`
    insert into balance_ledger (client_user_id, entry_type, amount, reference_id)
    select id, 'top_up', ${balance}::numeric, uuid_v7()::text from unnest(${[...clients].toSorted()}::uuid[]) as id`.execute(
    db,
  )
}

type OrderToPlant = Partial<Insertable<OrdersTable>> & { client_user_id: string; lead_type: string }

export async function plantOrders(db: Db, orders: readonly OrderToPlant[]): Promise<string[]> {
  const ids: string[] = []
  for (let from = 0; from < orders.length; from += 1000) {
    const rows = orders.slice(from, from + 1000)
    const planted = await db
      .insertInto('orders')
      .values(rows.map((order) => ({ name: 'Example order', timezone: 'UTC', ...order })))
      .returning('id')
      .execute()
    ids.push(...planted.map(({ id }) => id))
  }
  return ids
}

interface LeadToPlant {
  lead_type: string
  state: string
  phone: string
  age: number
}

/** Adds leads that are neither assigned nor offered. @returns their ids, in order */
export async function plantLeads(db: Db, leads: readonly LeadToPlant[]): Promise<string[]> {
  const rows = leads.map((lead, place) => ({ ...lead, place }))
  const planted = await sql<{ id: string }>`
    insert into leads (lead_type, state, phone, age, created_at)
    select lead_type, state, phone, age, now() + place * interval '1 microsecond'
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
      as l (lead_type text, state text, phone text, age integer, place integer) order by place
    returning id
  `.execute(db)
  return planted.rows.map(({ id }) => id)
}

/** Offers leads, as ingest does. @returns the events, for the caller to enqueue; the relay ignores them */
export async function plantOffers(db: Db, leads: readonly string[]): Promise<EventToEnqueue[]> {
  const { rows } = await sql<EventToEnqueue>`
    insert into events (type, lead_id, enqueued_at)
    select 'lead.offered', id, now() from unnest(${[...leads]}::uuid[]) with ordinality as l (id, place) order by place
    returning id, type, client_user_id
  `.execute(db)
  return rows
}
