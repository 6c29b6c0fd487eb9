import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  findUnenqueuedEvents,
  findUnplannedEvents,
  readTimeline,
  type EventToEnqueue,
} from '#core/data/outbox/events.ts'
import { findUnplannedEventsOfLead } from '#core/data/webhooks/deliveries/plan-deliveries.ts'
import { CONSUMED_EVENTS } from '#core/queue/event-consumers.ts'
import { LEAD_EVENTS_QUEUE, eventJobId } from '#core/queue/queues.ts'
import { waitUntil } from '#tests/support/condition.ts'
import {
  givenClient,
  givenConfig,
  givenLead,
  startPipeline,
  type TestPipeline,
} from '#tests/support/given/pipeline.ts'
import { startReceiver, type Receiver } from '#scripts/lab/receiver/start-receiver.ts'

/** More than the relay takes at once. */
const COUNT = 600
const UNKNOWN = 'order.created'

let pipeline: TestPipeline
let receiver: Receiver
let client: string
let lead: string

beforeAll(async () => {
  pipeline = await startPipeline({}, { worker: false })
  receiver = await startReceiver()
  const { context, db } = pipeline
  client = await givenClient(db)
  await givenConfig(context, client, { endpoint_url: receiver.url, trigger_on_lead_created: true })
  // It must be older than the events below, which are an hour old.
  await sql`update client_webhook_configs set choice_since = '-infinity'`.execute(db)
  // A newer version has written these and has enqueued half of them.
  await sql`
    insert into events (type, subject_type, subject_id, created_at, enqueued_at)
    select ${UNKNOWN}, 'order', uuid_v7(), now() - interval '1 hour',
      case when n % 2 = 0 then now() - interval '50 minutes' end
    from generate_series(1, ${2 * COUNT}::int) n`.execute(db)
  lead = await givenLead(db, client)
  await sql`update events set created_at = now() - interval '10 minutes' where lead_id = ${lead}`.execute(db)
  await sql`
    insert into events (type, lead_id, client_user_id) values ('lead.priced', ${lead}, ${client})`.execute(db)
  await pipeline.startWorker()
})
afterAll(async () => {
  await receiver.close()
  await pipeline.close()
})

const untouched = async (enqueued: boolean): Promise<number> => {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from events
    where type = ${UNKNOWN} and planned_at is null and failures = 0 and (enqueued_at is not null) = ${enqueued}
  `.execute(pipeline.db)
  return rows[0]?.count ?? 0
}

test('a lead behind more unknown events than the relay takes at once is relayed and delivered', async () => {
  await waitUntil(() => receiver.requests.length === 1, { what: 'The delivery' })

  expect(receiver.requests[0]?.headers['leadwire-event']).toBe('lead.created')
})

test('a lead whose event Redis lost is also found behind unknown events', async () => {
  const { rows } = await sql<{ id: string }>`
    insert into events (type, lead_id, client_user_id, created_at, enqueued_at)
    values ('lead.assigned', ${lead}, ${client}, now() - interval '9 minutes', now() - interval '8 minutes')
    returning id`.execute(pipeline.db)

  await waitUntil(() => receiver.requests.length === 2, { what: 'The second delivery' })
  expect(receiver.requests[1]?.headers['webhook-id']).toBe(rows[0]?.id)
})

test('unknown events stay unchanged, whichever poll runs', async () => {
  const { context, db } = pipeline
  const events = await sql<EventToEnqueue>`
    select id, type, client_user_id from events where type = ${UNKNOWN} limit 3`.execute(db)

  expect(await context.events.publish(events.rows, { mark: 'now' })).toBe(true)
  expect(await context.events.restore(events.rows, 3)).toBe(0)
  expect(await findUnplannedEventsOfLead(db, lead)).toEqual([])
  expect(await untouched(false)).toBe(COUNT)
  expect(await untouched(true)).toBe(COUNT)
})

test('a job that a newer version enqueued for an unknown event ends without effect, and the event still waits', async () => {
  const { context, db } = pipeline
  const { rows } = await sql<{ id: string }>`
    select id from events where type = ${UNKNOWN} and enqueued_at is not null limit 1`.execute(db)
  const id = rows[0]?.id ?? ''
  const [queue] = (await context.watchedQueues.get()).filter(({ name }) => name === LEAD_EVENTS_QUEUE)
  await queue?.add('order-created', { event_id: id }, { jobId: eventJobId(id) })

  await waitUntil(async () => (await queue?.getJobState(eventJobId(id))) === 'completed', { what: 'The job' })
  expect(await untouched(true)).toBe(COUNT)
})

test('unknown events are counted by their type, and the lag and depth of the outbox leave them out', async () => {
  const text = await pipeline.context.metrics.registry.metrics()

  expect(text).toContain(`leadwire_unclaimed_events{type="${UNKNOWN}"} ${2 * COUNT}`)
  expect(text).toContain('leadwire_unclaimed_events{type="lead.priced"} 1')
  expect(text).toContain('leadwire_outbox_depth 0')
  expect(text).toContain('leadwire_oldest_unplanned_event_age_seconds 0')
})

test('a version that consumes unknown events finds all of them, in order', async () => {
  const types = [...CONSUMED_EVENTS, UNKNOWN]
  const unenqueued = await findUnenqueuedEvents(pipeline.db, { types, limit: 5000 })
  const unplanned = await findUnplannedEvents(pipeline.db, {
    types,
    overdueSeconds: 30,
    limit: 5000,
    after: undefined,
  })

  expect(unenqueued.map(({ type }) => type)).toEqual(Array(COUNT).fill(UNKNOWN))
  expect(unplanned.map(({ type }) => type)).toEqual(Array(COUNT).fill(UNKNOWN))
})

test("a lead's timeline shows an event type that this version does not know", async () => {
  const timeline = await readTimeline(pipeline.db, lead, client)

  expect(timeline.map(({ type }) => type)).toContain('lead.priced')
})

test('an event needs a lead or another subject; a lead alone is enough', async () => {
  const insert = (columns: Record<string, string | null>): Promise<unknown> =>
    sql`insert into events ${sql.raw(`(type, ${Object.keys(columns).join(', ')})`)}
      values (${UNKNOWN}, ${sql.join(Object.values(columns))})`.execute(pipeline.db)

  await expect(insert({ lead_id: null })).rejects.toThrow(/events_subject/)
  await expect(insert({ subject_type: 'payment' })).rejects.toThrow(/events_subject/)
  await expect(insert({ subject_type: 'payment', subject_id: randomUUID() })).resolves.toBeDefined()
  await expect(insert({ lead_id: lead })).resolves.toBeDefined()
})
