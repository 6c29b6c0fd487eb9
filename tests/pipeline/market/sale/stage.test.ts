import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { insertLeads } from '#core/data/leads/receive-leads.ts'
import { insertSource } from '#core/data/leads/sources/sources.ts'
import { findEventsToEnqueueOfLeads } from '#core/data/outbox/events.ts'
import { eventJobSchema, LEAD_EVENTS_QUEUE } from '#core/queue/queues.ts'
import { startReceiver, type Receiver } from '#scripts/lab/receiver/start-receiver.ts'
import { waitUntil } from '#tests/support/condition.ts'
import { findContradictions } from '#scripts/lab/market/find-contradictions.ts'
import { givenBuyer, givenOffers, givenOrder } from '#tests/support/given/market.ts'
import { givenClient, givenConfig, startPipeline, type TestPipeline } from '#tests/support/given/pipeline.ts'

const COUNT = 10

let pipeline: TestPipeline
let receiver: Receiver
beforeAll(async () => {
  pipeline = await startPipeline({}, { worker: false })
  receiver = await startReceiver()
  const { context, db } = pipeline
  const client = await givenBuyer(db)
  await givenOrder(db, client, { name: 'Final expense, West' })
  await givenConfig(context, client, {
    endpoint_url: receiver.url,
    trigger_on_lead_assigned: true,
    payload_template: '{"lead_id":"{{id}}","order":"{{order_name}}"}',
  })
})
afterAll(async () => {
  await receiver.close()
  await pipeline.close()
})

const soldTo = (): string[] =>
  receiver.requests.map(({ body }) => (JSON.parse(body) as { lead_id: string }).lead_id)

test('a source’s lead without a named client is stored, offered, sold and delivered under its order’s name', async () => {
  const { context, db } = pipeline
  const id = '01920000-0000-7000-8000-000000000001'
  const source = await insertSource(db, {
    name: 'Example source',
    owner_user_id: null,
    auto_assign: true,
    api_key_hash: Buffer.alloc(32, 1),
    api_key_prefix: 'example',
    created_by: await givenClient(db, 'admin'),
  })
  const lead = {
    id,
    source_id: source.id,
    user_id: null,
    external_id: null,
    idempotency_key: null,
    ingest_fingerprint: null,
  }
  const fields = { lead_type: 'final_expense', state: 'CA', is_test: false, country: 'US', language: 'en' }
  const stored = await insertLeads(db, [{ ...lead, ...fields, custom: {}, deal_size: 0 }])
  const events = stored.get(id)?.events ?? []
  expect(events.map(({ type, client_user_id }) => [type, client_user_id])).toEqual([['lead.offered', null]])
  await context.events.publish(events)
  await pipeline.startWorker()
  await waitUntil(() => receiver.requests.length === 1, { what: 'The lead' })
  expect(receiver.requests.map(({ body }) => JSON.parse(body) as unknown)).toEqual([
    { lead_id: id, order: 'Final expense, West' },
  ])
  expect((await findPlannedInJobs()).get(id)).toEqual(['lead.created', 'lead.assigned'])
})

/** Returns for each lead the types of its events in jobs of `lead-events`. */
async function findPlannedInJobs(): Promise<Map<string, string[]>> {
  const queues = await pipeline.context.watchedQueues.get()
  const jobs = await queues.find(({ name }) => name === LEAD_EVENTS_QUEUE)?.getJobs(['completed', 'active'])
  const told = (jobs ?? []).flatMap(({ data }) => {
    const { event_id: first, further_event_ids: further = [], heard } = eventJobSchema.parse(data)
    return [first, ...further].map((id, index) => ({ id, type: heard[index]?.type }))
  })
  const rows = await pipeline.db
    .selectFrom('events')
    .select(['id', 'type', 'lead_id'])
    .where(
      'id',
      'in',
      told.map(({ id }) => id),
    )
    .orderBy('id')
    .execute()
  const types = new Map(told.map(({ id, type }) => [id, type]))
  expect(rows.map(({ id }) => types.get(id))).toEqual(rows.map(({ type }) => type))
  const byLead = Map.groupBy(rows, (row) => row.lead_id ?? '')
  return new Map([...byLead].map(([lead, its]) => [lead, its.map(({ type }) => type)]))
}

test('a lead that PostgreSQL refuses does not prevent other sales, and is given up after five tries', async () => {
  const { context, db } = pipeline
  const before = receiver.requests.length
  await pipeline.stopWorker()
  const ids = await givenOffers(
    db,
    Array.from({ length: COUNT }, () => ({})),
  )
  const poisoned = ids[COUNT / 2] ?? ''
  await sql`
    create function refuse_poison() returns trigger language plpgsql as $$
    begin raise exception 'poison'; end $$`.execute(db)
  await sql`
    create trigger refuse_poison before insert on lead_assignments for each row
    when (new.lead_id = ${sql.lit(poisoned)}::uuid) execute function refuse_poison()`.execute(db)
  await context.events.publish(await findEventsToEnqueueOfLeads(db, ids), { mark: 'now' })
  await pipeline.startWorker()
  await waitUntil(() => receiver.requests.length === before + COUNT - 1, { what: 'The others' })
  expect(soldTo()).not.toContain(poisoned)

  const readOffer = async () =>
    await db
      .selectFrom('events')
      .select(['failures', 'planned_at', 'failed_at'])
      .where('lead_id', '=', poisoned)
      .where('type', '=', 'lead.offered')
      .executeTakeFirstOrThrow()
  await waitUntil(async () => (await readOffer()).failed_at !== null, { what: 'The end', timeoutMs: 30_000 })
  expect(await readOffer()).toMatchObject({ failures: 5, planned_at: null })
  expect(await findContradictions(db)).toEqual([])
})
