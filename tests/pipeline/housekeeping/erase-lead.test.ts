import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { findDeliveryLog } from '#core/data/webhooks/logs/find-delivery-log.ts'
import { ERASED_LEAD_COLUMNS, KEPT_LEAD_COLUMNS, eraseLead } from '#core/data/leads/erase-lead.ts'
import { insertOutcome } from '#core/data/leads/lead-outcomes.ts'
import { readTimeline } from '#core/data/outbox/events.ts'
import { waitUntil } from '#tests/support/condition.ts'
import {
  assignLead,
  drain,
  givenClient,
  givenConfig,
  givenLead,
  publishEventsOfLead,
  startPipeline,
  type TestPipeline,
} from '#tests/support/given/pipeline.ts'
import { startReceiver, type Receiver } from '#scripts/lab/receiver/start-receiver.ts'

const MARK = 'rosa-marked-7319'
const TEMPLATE = JSON.stringify({
  name: '{{name}}',
  email: '{{email}}',
  comments: '{{comments}}',
  custom: '{{custom.note}}',
})

let pipeline: TestPipeline
let crm: Receiver
let client: string
beforeEach(async () => {
  pipeline = await startPipeline()
  crm = await startReceiver()
  client = await givenClient(pipeline.db)
})
afterEach(async () => {
  await pipeline.close()
  await crm.close()
})

/** Creates a lead whose every text column contains the mark, if its type and checks allow it. */
async function givenMarkedLead(): Promise<string> {
  const { db } = pipeline
  const lead = await givenLead(db, client, { name: MARK, email: `${MARK}@example.com` })
  const { rows } = await sql<{ name: string }>`
    select column_name as name from information_schema.columns
    where table_schema = 'public' and table_name = 'leads' and udt_name in ('text', 'citext')
      and column_name <> all(${['status', 'phone', 'language', 'lead_type', 'source', 'campaign', 'email']}::text[])`.execute(
    db,
  )
  for (const { name } of rows)
    await sql`update leads set ${sql.ref(name)} = ${`${MARK} ${name}`} where id = ${lead}`.execute(db)
  await sql`
    update leads set custom = ${JSON.stringify({ note: MARK })}::jsonb, utm = ${JSON.stringify({ term: MARK })}::jsonb
    where id = ${lead}`.execute(db)
  await assignLead(db, lead)
  await sql`update lead_assignments set notes = ${MARK} where lead_id = ${lead}`.execute(db)
  const of = { lead_id: lead, client_user_id: client, webhook_config_id: lead }
  const report = { status: 'sold', amount: 1200, note: MARK } as const
  await insertOutcome(db, of, { assignment_id: lead, report })
  return lead
}

/**
 * Returns the places of the mark among all values of all tables as text; partitions are read through their
 * parents.
 */
async function placesOfMark(): Promise<string[]> {
  const { db } = pipeline
  const { rows } = await sql<{ schema: string; name: string }>`
    select n.nspname as schema, c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where c.relkind in ('r', 'p') and not c.relispartition and n.nspname not in ('pg_catalog', 'information_schema')
  `.execute(db)
  const places: string[] = []
  for (const { schema, name } of rows) {
    const found =
      await sql`select 1 from ${sql.id(schema, name)} t where t::text like ${`%${MARK}%`}`.execute(db)
    if (found.rows.length > 0) places.push(`${schema}.${name}`)
  }
  return places
}

const erase = (lead: string) => pipeline.db.transaction().execute((trx) => eraseLead(trx, lead))

test('erasing a lead removes the person from every table, and cancels unsent deliveries', async () => {
  crm.answerWith((request) => ({
    status: request.path.startsWith('/fails') ? 500 : 200,
    body: `{"id":"${MARK}","echo":${JSON.stringify(request.body)}}`,
    headers: { 'x-echo': MARK },
  }))
  const given = { payload_template: TEMPLATE, capture_path: 'id' }
  const filled = { ...given, custom_headers: { 'X-Name': '{{name}}' } }
  await givenConfig(pipeline.context, client, { ...filled, endpoint_url: `${crm.url}/works?e={{email}}` })
  await givenConfig(pipeline.context, client, { ...filled, endpoint_url: `${crm.url}/fails?n={{name}}` })
  const lead = await givenMarkedLead()
  await publishEventsOfLead(pipeline.context, lead)
  await crm.waitForCount(2)
  await waitUntil(async () => (await logRows(lead)).length >= 2, { what: 'Two attempts in the log' })
  expect(await placesOfMark()).toEqual(
    expect.arrayContaining([
      'public.leads',
      'public.lead_assignments',
      'public.webhook_deliveries',
      'public.webhook_delivery_log_bodies',
    ]),
  )

  const [sent] = await logRows(lead)
  const before = await findDeliveryLog(pipeline.db, client, sent?.id ?? '')
  expect(before?.request?.url).toContain(MARK)

  expect(await erase(lead)).toMatchObject({ lead_id: lead, cancelled_deliveries: 1 })

  expect(await placesOfMark()).toEqual([])
  const timeline = await readTimeline(pipeline.db, lead, client)
  expect(timeline.map(({ type }) => type)).toEqual(
    expect.arrayContaining(['lead.created', 'delivery.succeeded', 'delivery.cancelled', 'lead.erased']),
  )
  const [row] = await logRows(lead)
  expect(await findDeliveryLog(pipeline.db, client, row?.id ?? '')).toMatchObject({
    bodies: 'erased',
    request: null,
    response: null,
  })
  const again = await erase(lead)
  expect(again).toMatchObject({ cancelled_deliveries: 0, erased_attempts: 0 })
  expect(
    (await readTimeline(pipeline.db, lead, client)).filter(({ type }) => type === 'lead.erased'),
  ).toHaveLength(1)
})

test('an attempt in flight when its lead is erased is logged without its contents', async () => {
  const erasing = Promise.withResolvers<void>()
  crm.answerWith((request) => ({ status: 500, body: request.body, after: erasing.promise }))
  await givenConfig(pipeline.context, client, { payload_template: TEMPLATE, endpoint_url: crm.url })
  const lead = await givenMarkedLead()
  await publishEventsOfLead(pipeline.context, lead)
  await crm.waitForCount(1)

  expect(await erase(lead)).toMatchObject({ cancelled_deliveries: 1 })
  expect(await logRows(lead)).toEqual([])
  erasing.resolve()
  await waitUntil(async () => (await logRows(lead)).length > 0, { what: 'The attempt in the log' })
  await drain(pipeline.context)

  expect(await placesOfMark()).toEqual([])
  expect(await logRows(lead)).toMatchObject([{ delivery_status: 'failed', response_status: 500 }])
  expect(
    await pipeline.db.selectFrom('webhook_deliveries').select('state').where('lead_id', '=', lead).execute(),
  ).toEqual([{ state: 'cancelled' }])
  expect(crm.requests).toHaveLength(1)
})

test('an unplanned event makes no delivery once its lead is erased', async () => {
  await pipeline.stopWorker()
  await givenConfig(pipeline.context, client, { payload_template: TEMPLATE, endpoint_url: crm.url })
  const lead = await givenMarkedLead()
  await erase(lead)
  await publishEventsOfLead(pipeline.context, lead)
  await pipeline.startWorker()
  await drain(pipeline.context)

  expect(crm.requests).toEqual([])
  expect(await placesOfMark()).toEqual([])
})

test('every column of a lead is either erased or deliberately kept', async () => {
  const { rows } = await sql<{ name: string }>`
    select column_name as name from information_schema.columns
    where table_schema = 'public' and table_name = 'leads'`.execute(pipeline.db)

  expect(rows.map(({ name }) => name).toSorted()).toEqual(
    [...KEPT_LEAD_COLUMNS, ...ERASED_LEAD_COLUMNS].toSorted(),
  )
})

async function logRows(lead: string) {
  return await pipeline.db
    .selectFrom('webhook_delivery_logs')
    .select(['id', 'delivery_status', 'response_status'])
    .where('lead_id', '=', lead)
    .execute()
}
