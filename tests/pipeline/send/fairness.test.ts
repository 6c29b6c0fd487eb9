import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { findEventsToEnqueueOfLeads } from '#core/data/outbox/events.ts'
import { DELIVERIES_QUEUE } from '#core/queue/queues.ts'
import { waitUntil } from '#tests/support/condition.ts'
import {
  drain,
  givenClient,
  givenConfig,
  givenLead,
  publishEventsOfLead,
  startPipeline,
  type TestPipeline,
} from '#tests/support/given/pipeline.ts'
import { startReceiver, type Receiver } from '#scripts/lab/receiver/start-receiver.ts'

// A burst pauses for long while others send, and each test waits for the end of one.
vi.setConfig({ testTimeout: 180_000 })

const BURST = 1000

let pipeline: TestPipeline
let crm: Receiver

beforeAll(async () => {
  pipeline = await startPipeline({
    // Enough slots for everybody, because these tests are about the order.
    WEBHOOK_CONCURRENCY: '20',
    WEBHOOK_ENDPOINT_CONCURRENCY: '10',
    WEBHOOK_RETRY_SCHEDULE: '3600,3600',
  })
})
afterAll(async () => {
  await pipeline.close()
})
beforeEach(async () => {
  crm = await startReceiver({ status: 200, delayMs: 20 })
  return () => crm.close()
})

async function givenClientWithConfig(name: string): Promise<string> {
  const client = await givenClient(pipeline.db)
  await givenConfig(pipeline.context, client, {
    endpoint_url: `${crm.url}/${name}`,
    trigger_on_lead_created: true,
    trigger_on_lead_assigned: false,
  })
  return client
}

/** Stores leads of a client with their events; returns their ids. */
async function givenLeads(client: string, count: number): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    with made as (
      insert into leads (user_id, name, lead_type)
      select ${client}, 'Avery Example ' || n, 'final_expense' from generate_series(1, ${count}) n returning id, user_id
    ), told as (
      insert into events (type, lead_id, client_user_id) select 'lead.created', id, user_id from made
    )
    select id from made
  `.execute(pipeline.db)
  return rows.map(({ id }) => id)
}

const arrivals = (name: string) => crm.requests.filter(({ path }) => path === `/${name}`)

test("another client's lead does not wait for a burst, and the burst arrives completely", async () => {
  const [bursting, calm] = await Promise.all([
    givenClientWithConfig('bursting'),
    givenClientWithConfig('calm'),
  ])
  const leads = await givenLeads(bursting, BURST)
  const events = await findEventsToEnqueueOfLeads(pipeline.db, leads)
  await pipeline.context.events.publish(events, { sender: 'a source that bursts' })
  await waitUntil(() => arrivals('bursting').length > 100, { what: 'the burst being on its way' })

  await publishEventsOfLead(pipeline.context, await givenLead(pipeline.db, calm))
  await crm.waitFor(({ path }) => path === '/calm')
  expect(arrivals('bursting').length).toBeLessThan(BURST / 2)

  await drain(pipeline.context, 60_000)
  expect(new Set(arrivals('bursting').map(({ headers }) => headers['webhook-id'])).size).toBe(BURST)
})

test('two bursts share the worker: the shorter one ends before the longer one', async () => {
  const [long, short] = await Promise.all([givenClientWithConfig('long'), givenClientWithConfig('short')])
  const publishAll = async (client: string, count: number): Promise<void> => {
    const events = await findEventsToEnqueueOfLeads(pipeline.db, await givenLeads(client, count))
    await pipeline.context.events.publish(events, { sender: client })
  }
  // Both are stored before the first is sent, so that a busy machine gives neither a head start.
  await pipeline.stopWorker()
  await publishAll(long, BURST)
  await publishAll(short, 200)
  await pipeline.startWorker()
  await waitUntil(() => arrivals('short').length === 200, { what: 'the short burst', timeoutMs: 60_000 })
  expect(arrivals('long').length).toBeLessThan(BURST - 100)
  await drain(pipeline.context, 60_000)
  expect(arrivals('long')).toHaveLength(BURST)
})

test('many retries that are due at once do not delay a first attempt', async () => {
  const [failing, calm] = await Promise.all([givenClientWithConfig('failing'), givenClientWithConfig('calm')])
  await pipeline.stopWorker()
  const leads = await givenLeads(failing, BURST)
  await sql`
    insert into webhook_deliveries (event_id, event_type, webhook_config_id, client_user_id, lead_id, attempt)
    select e.id, e.type, c.id, c.client_user_id, e.lead_id, 1
    from events e join client_webhook_configs c on c.client_user_id = e.client_user_id
    where e.lead_id = any(${leads}::uuid[])`.execute(pipeline.db)
  await sql`update events set planned_at = now(), enqueued_at = now() where lead_id = any(${leads}::uuid[])`.execute(
    pipeline.db,
  )
  await pipeline.startWorker()
  await waitUntil(() => arrivals('failing').length > 50, { what: 'the retries being on their way' })

  await publishEventsOfLead(pipeline.context, await givenLead(pipeline.db, calm))
  await crm.waitFor(({ path }) => path === '/calm')
  expect(arrivals('failing').length).toBeLessThan(BURST / 2)
  await drain(pipeline.context, 60_000)
  expect(arrivals('failing')).toHaveLength(BURST)
})

test('Redis is empty after everything was sent', async () => {
  const queue = `${pipeline.environment.env['QUEUE_PREFIX']}:${DELIVERIES_QUEUE}`
  const keys = await pipeline.context.redis.keys(`${queue}:*`)
  expect(keys.filter((key) => /:\d+$/.test(key))).toEqual([])
})
