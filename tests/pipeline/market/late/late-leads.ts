import { randomUUID, randomUUIDv7 } from 'node:crypto'
import { sql, type Kysely } from 'kysely'
import type { Db } from '#core/data/database.ts'
import { tallyLeads } from '#core/data/market/figures/analytics.ts'
import type { Database } from '#core/data/schema/tables.ts'
import { uuidAt } from '#core/domain/uuid-at.ts'
import { assignLeads } from '#core/use-cases/market/assign-leads.ts'
import { freshState, givenBuyer, givenOrder } from '#tests/support/given/market.ts'
import { givenConfig, type TestPipeline } from '#tests/support/given/pipeline.ts'

/** How long each part of a lead's way took, in milliseconds; `ago` is when it came. */
export interface Way {
  ago?: number
  /** from the receipt to the sale */
  sold?: number
  /** from the receipt to the first refusal by every order */
  refused?: number
  planned?: number
  due?: number
  begun?: number
  turn?: number
}

const plus = (base: Date, ms: number): Date => new Date(base.getTime() + ms)

/** Lets late leads be credited, or not. */
export async function switchLateCredits(db: Db, isOn: boolean): Promise<void> {
  await db.updateTable('lead_types').set({ late_credit: isOn }).execute()
}

/** Creates a client that alone buys the leads of a state, with a webhook. */
export async function givenLateBuyer({ db, context }: TestPipeline, balance = '1000.00', price?: string) {
  const state = freshState()
  const client = await givenBuyer(db, balance)
  await givenOrder(db, client, { states: [state], ...(price !== undefined && { price }) })
  const { id: webhook } = await givenConfig(context, client, { endpoint_url: 'https://crm.example.com/' })
  return { state, client, webhook }
}

/** Sells a lead, and writes its way as the worker would have: sale, delivery, attempt, and the note about it. */
export async function givenLate(
  { db, context }: TestPipeline,
  { state, client, webhook }: Awaited<ReturnType<typeof givenLateBuyer>>,
  { ago = 600_000, sold = 8000, refused, planned = sold, due = planned, begun = due, turn = 0 }: Way = {},
): Promise<{ lead: string; assignment: string; delivery: string }> {
  const received = new Date(Date.now() - ago)
  const lead = uuidAt(received, randomUUIDv7())
  await db
    .insertInto('leads')
    .values({ id: lead, lead_type: 'final_expense', state, created_at: received })
    .execute()
  await db
    .insertInto('events')
    .values({ type: 'lead.offered', lead_id: lead, created_at: received, data: '{}' })
    .execute()
  await assignLeads(context.market, [lead])
  const times = { sold: plus(received, sold), planned: plus(received, planned), begun: plus(received, begun) }
  if (refused !== undefined)
    await db
      .insertInto('events')
      .values({ type: 'lead.unassigned', lead_id: lead, created_at: plus(received, refused), data: '{}' })
      .execute()
  const { rows } = await sql<{ assignment: string; event: string }>`
    with bought as (
      update lead_assignments set assigned_at = ${times.sold} where lead_id = ${lead} returning id
    )
    update events set created_at = ${times.sold}, planned_at = ${times.planned}, enqueued_at = ${times.sold} from bought
    where lead_id = ${lead} and type = 'lead.assigned' returning bought.id as assignment, events.id as event`.execute(
    db,
  )
  const [{ assignment, event } = { assignment: '', event: '' }] = rows
  const delivery = randomUUIDv7()
  await db
    .insertInto('webhook_deliveries')
    .values({
      id: delivery,
      event_id: event,
      event_type: 'lead.assigned',
      webhook_config_id: webhook,
      client_user_id: client,
      lead_id: lead,
      state: 'delivered',
      attempt: 1,
      turn,
      created_at: times.planned,
      finished_at: times.begun,
    })
    .execute()
  await givenAttempt(db, { client, webhook, delivery, event, lead, at: times.begun })
  await db
    .insertInto('late_starts')
    .values({
      delivery_id: delivery,
      event_id: event,
      lead_id: lead,
      client_user_id: client,
      turn,
      begun_at: times.begun,
      due_at: plus(received, due),
      check_at: new Date(0),
    })
    .execute()
  return { lead, assignment, delivery }
}

/** Writes a row of the log. */
export async function givenAttempt(
  db: Db,
  of: {
    client: string
    webhook: string
    delivery: string
    event: string
    lead: string
    at: Date
    ms?: number
  },
): Promise<void> {
  await db
    .insertInto('webhook_delivery_logs')
    .values({
      id: randomUUID(),
      created_at: of.at,
      webhook_config_id: of.webhook,
      client_user_id: of.client,
      delivery_id: of.delivery,
      event_id: of.event,
      event_type: 'lead.assigned',
      lead_id: of.lead,
      delivery_status: 'delivered',
      response_status: 200,
      attempt_number: 1,
      processing_time_ms: of.ms ?? 50,
      error_class: null,
      error_message: null,
      outcome: null,
      remote_address: null,
      timing: null,
      request_url: 'https://crm.example.com/',
      request_method: 'POST',
    })
    .execute()
}

/** Writes many late leads of a client in one statement, as an outage of an hour leaves them. */
export async function givenStorm(
  { db }: TestPipeline,
  { state, client, webhook }: Awaited<ReturnType<typeof givenLateBuyer>>,
  count: number,
): Promise<void> {
  const { id: order } = await db
    .selectFrom('orders')
    .select('id')
    .where('client_user_id', '=', client)
    .executeTakeFirstOrThrow()
  await sql`
    with came as (
      insert into leads (id, lead_type, state, status, assigned_to, assigned_at, order_id, price_charged, created_at)
      select uuid_v7(), 'final_expense', ${state}, 'assigned', ${client}::uuid, now() - interval '10 minutes', ${order}::uuid, 25,
        now() - interval '70 minutes' + n * interval '1 second' from generate_series(1, ${count}::int) n
      returning id, created_at
    ), sold as (
      insert into lead_assignments (lead_id, client_user_id, order_id, price, assigned_at)
      select id, ${client}::uuid, ${order}::uuid, 25, now() - interval '10 minutes' from came returning id, lead_id
    ), paid as (
      insert into balance_ledger (client_user_id, entry_type, amount, reference_type, reference_id)
      select ${client}::uuid, 'lead_purchase', -25, 'assignment', id::text from sold
    ), told as (
      insert into events (type, lead_id, client_user_id, data, created_at, enqueued_at, planned_at)
      select 'lead.offered', id, null, '{}'::jsonb, created_at, now(), now() from came
      union all select 'lead.assigned', lead_id, ${client}::uuid, jsonb_build_object('assignment_id', id), now() - interval '10 minutes', now(), now() from sold
      returning id, type, lead_id
    ), made as (
      insert into webhook_deliveries (event_id, event_type, webhook_config_id, client_user_id, lead_id, state, attempt, created_at, finished_at)
      select id, type, ${webhook}::uuid, ${client}::uuid, lead_id, 'delivered', 1, now() - interval '10 minutes', now() from told where type = 'lead.assigned'
      returning id, event_id, lead_id
    ), logged as (
      insert into webhook_delivery_logs (id, created_at, webhook_config_id, client_user_id, delivery_id, event_id, event_type, lead_id,
        delivery_status, response_status, attempt_number, processing_time_ms, request_url, request_method)
      select uuid_v7(), now() - interval '9 minutes', ${webhook}::uuid, ${client}::uuid, id, event_id, 'lead.assigned', lead_id, 'delivered', 200, 1, 5,
        'https://crm.example.com/', 'POST' from made
    )
    insert into late_starts (delivery_id, event_id, lead_id, client_user_id, begun_at, due_at, turn, check_at)
    select id, event_id, lead_id, ${client}::uuid, now() - interval '9 minutes', now() - interval '10 minutes', 0, now() from made`.execute(
    db,
  )
}

/** The cost of all leads of a client: by the figures of /analytics, and by the ledger. */
export async function readCost(db: Kysely<Database>, client: string) {
  const now = Date.now()
  const of = { client, zone: 'UTC', begins: new Date(now - 86_400_000), ends: new Date(now + 60_000) }
  const tallies = await tallyLeads(db, of, { contacted: [], sold: [] })
  const { spend = '0', refunded = '0' } = tallies.find(({ group }) => group === 'all') ?? {}
  const { rows } = await sql<{ cost: string }>`
    select (0 - sum(amount))::numeric(16, 2)::text as cost from balance_ledger
    where client_user_id = ${client} and entry_type in ('lead_purchase', 'lead_return', 'late_credit')`.execute(
    db,
  )
  return { figures: (Number(spend) - Number(refunded)).toFixed(2), ledger: rows[0]?.cost }
}
