import { randomUUID } from 'node:crypto'
import { sql, type Kysely } from 'kysely'
import type { Database } from '#core/data/schema/tables.ts'
import { SOLD_STATES } from '#core/domain/leads/us-states.ts'
import { givenClient } from './pipeline.ts'

const STATES = SOLD_STATES.filter((state) => state !== 'CA')
let statesTaken = 0

/**
 * Returns a state that no other test of this file and no earlier try of the same test has used, because their
 * orders may still want its leads. It is not the default state of leads.
 */
export function freshState(): string {
  statesTaken += 1
  return STATES[statesTaken % STATES.length] ?? ''
}

/** Creates a client who may buy, with this balance. */
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

/** Creates an order for all leads, narrowed by the given fields. */
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
    max_lead_age_minutes: number | null
    zip_codes: string[]
    near_zip: string
    near_miles: number
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

/** Inserts leads to be sold on the market, as ingest leaves them. */
export async function givenOffers(
  db: Kysely<Database>,
  leads: readonly {
    first_name?: string
    state?: string
    phone?: string
    email?: string
    lead_type?: string
    source_id?: string
    consent_given?: boolean
  }[],
): Promise<string[]> {
  const began = Date.now() - leads.length
  const rows = await db
    .insertInto('leads')
    .values(
      leads.map((lead, index) => ({
        lead_type: 'final_expense',
        state: 'CA',
        // In this order; ids of one millisecond are not ordered.
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
