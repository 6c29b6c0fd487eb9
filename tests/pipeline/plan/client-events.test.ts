import type { Job } from 'bullmq'
import { Webhook } from 'standardwebhooks'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { writeClientEvents, type ClientEventToWrite } from '#core/data/outbox/write-client-events.ts'
import { queuePrefix } from '#core/queue/redis.ts'
import { planClientEvents } from '#core/data/webhooks/deliveries/plan-client-events.ts'
import { waitUntil } from '#tests/support/condition.ts'
import { setUpJourneys } from '#tests/support/given/journeys.ts'
import { drain, givenConfig, givenLead } from '#tests/support/given/pipeline.ts'
import { createClientEventPlanning } from '#worker/pipeline/1-plan-client-events.ts'

const journeys = setUpJourneys({ WEBHOOK_RETRY_SCHEDULE: '1,1,2' })

const LEAD_TEMPLATE = '{"new_lead":"{{name}}","phone":"{{phone}}"}'
const ID = '01993a7c-5f0e-7c55-9d0b-3f6f6f1b2a04'

const returned = (client: string, lead: string): ClientEventToWrite => ({
  type: 'lead.returned',
  client_user_id: client,
  lead_id: lead,
  data: { return_id: ID, reason: 'wrong_number', credited: 25 },
})
const paused = (client: string): ClientEventToWrite => ({
  type: 'order.paused',
  client_user_id: client,
  subject: { type: 'order', id: ID },
  data: { order_id: ID, order_name: 'Texas', paused_by: 'administrator' },
})

async function write(...events: ClientEventToWrite[]) {
  const { context, db } = journeys.pipeline
  const written = await db.transaction().execute((trx) => writeClientEvents(trx, events))
  await context.events.publish(written)
  return written
}

async function timeOf(event: string | undefined): Promise<string | undefined> {
  const { rows } = await sql<{ created_at: Date }>`select created_at from events where id = ${event}`.execute(
    journeys.pipeline.db,
  )
  return rows[0]?.created_at.toISOString()
}

test('a chosen event arrives signed, in its own template, and never in the template for leads', async () => {
  const { pipeline, crm, client, readLog } = journeys
  const own = '{"what":"{{event}}","why":"{{reason}}","order":1.50}'
  const config = await givenConfig(pipeline.context, client, {
    endpoint_url: crm.url,
    payload_template: LEAD_TEMPLATE,
    events: ['lead.returned', 'order.paused'],
    event_templates: JSON.stringify({ 'lead.returned': own }),
  })
  const lead = await givenLead(pipeline.db, client)
  const [first, second] = await write(returned(client, lead), paused(client))
  const [one, two] = await crm.waitForCount(2)
  await drain(pipeline.context)

  const requests = new Map([one, two].map((request) => [request?.headers['webhook-id'], request]))
  const ofLead = requests.get(first?.id)
  const ofOrder = requests.get(second?.id)
  expect(ofLead?.headers['leadwire-event']).toBe('lead.returned')
  expect(ofLead?.body).toBe('{"what":"lead.returned","why":"wrong_number","order":1.50}')
  expect(
    new Webhook(config.secret).verify(ofOrder?.rawBody ?? '', ofOrder?.headers as Record<string, string>),
  ).toEqual({
    event: 'order.paused',
    event_id: second?.id,
    occurred_at: await timeOf(second?.id),
    order_id: ID,
    order_name: 'Texas',
    paused_by: 'administrator',
  })
  const rows = await readLog(config.id)
  expect(rows.map((row) => `${row.event_type} ${row.delivery_status}`).toSorted()).toEqual([
    'lead.returned delivered',
    'order.paused delivered',
  ])
})

test('events wait while a worker of the version before runs, which would give them up', async () => {
  const { pipeline, crm, client } = journeys
  const { context, db } = pipeline
  await givenConfig(context, client, { endpoint_url: crm.url, events: ['order.paused'] })
  const [event] = await db.transaction().execute((trx) => writeClientEvents(trx, [paused(client)]))
  const id = event?.id ?? ''
  const plan = createClientEventPlanning(context, () => Promise.resolve())
  const job = { data: { event_id: id, heard: [{ client, type: 'order.paused' }] }, opts: {} } as Job<unknown>
  const countPlanned = async () => {
    await plan(job)
    const { rows } = await sql`select from webhook_deliveries where event_id = ${id}`.execute(db)
    return rows.length
  }
  const key = `${queuePrefix(context.config.redis)}:workers`
  const older = '4d0b8a52-0d5c-4b2e-9a53-8f3a3c0d9f11/50'
  await context.redis.zadd(key, Date.now() / 1000 + 60, older)
  expect(await countPlanned()).toBe(0)
  await context.redis.zrem(key, older)
  expect(await countPlanned()).toBe(1)
  await crm.waitForCount(1)
})

test('an event is retried like any delivery, and its log is kept', async () => {
  const { pipeline, crm, client, readLog } = journeys
  crm.answerWith(({ headers }) => ({ status: headers['leadwire-attempt'] === '1' ? 503 : 200, body: '' }))
  const config = await givenConfig(pipeline.context, client, {
    endpoint_url: crm.url,
    events: ['order.paused'],
  })
  await write(paused(client))
  await waitUntil(async () => (await readLog(config.id)).length === 2, {
    what: 'Two attempts',
    timeoutMs: 15_000,
  })
  const rows = await readLog(config.id)
  expect(rows.map((row) => row.delivery_status).toSorted()).toEqual(['delivered', 'failed'])
  expect(new Set(rows.map((row) => row.event_id)).size).toBe(1)
})

test('an event goes only to active webhooks of its client that have chosen it, once each', async () => {
  const { pipeline, crm, client } = journeys
  const { context, db } = pipeline
  const at = (name: string, more: object) =>
    givenConfig(context, client, { endpoint_url: `${crm.url}/${name}`, ...more })
  await at('leads-only', { trigger_on_lead_created: true })
  await at('off', { events: ['order.paused'], is_active: false })
  const chosen = await at('chosen', { events: ['order.paused'] })
  const [event] = await write(paused(client))
  await crm.waitForCount(1)
  await drain(context)
  const again = await planClientEvents(db, [{ event_id: event?.id ?? '', turn: 0 }], 250)

  expect(again).toEqual([])
  const { rows } = await sql<{ webhook_config_id: string; state: string }>`
    select webhook_config_id, state from webhook_deliveries where event_id = ${event?.id}`.execute(db)
  expect(rows).toEqual([{ webhook_config_id: chosen.id, state: 'delivered' }])
  expect(crm.requests.map(({ path }) => path)).toEqual(['/chosen'])
})

test('nothing waits for a client whose webhooks have chosen no event: of a lead only its timeline tells', async () => {
  const { pipeline, crm, client } = journeys
  await givenConfig(pipeline.context, client, { endpoint_url: crm.url, trigger_on_lead_created: true })
  const lead = await givenLead(pipeline.db, client)
  expect(await write(returned(client, lead), paused(client))).toEqual([])
  const { rows } = await sql`
    select type, planned_at is not null as is_planned from events
    where client_user_id = ${client} and type in ('lead.returned', 'order.paused')`.execute(pipeline.db)
  expect(rows).toEqual([{ type: 'lead.returned', is_planned: true }])
})

test('a failing webhook is told to the other webhooks, not to itself', async () => {
  const { pipeline, crm, client } = journeys
  const failing = await givenConfig(pipeline.context, client, {
    endpoint_url: `${crm.url}/failing`,
    events: ['webhook.failing'],
  })
  await givenConfig(pipeline.context, client, {
    endpoint_url: `${crm.url}/other`,
    events: ['webhook.failing'],
  })
  await write({
    type: 'webhook.failing',
    client_user_id: client,
    subject: { type: 'webhook', id: failing.id },
    data: {
      webhook_id: failing.id,
      webhook_name: 'Dialer',
      failing_since: new Date().toISOString(),
      failures_in_row: 20,
      last_error: null,
    },
  })
  await crm.waitForCount(1)
  await drain(pipeline.context)
  expect(crm.requests.map(({ path }) => path)).toEqual(['/other'])
})
