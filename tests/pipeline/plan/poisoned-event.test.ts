import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { findEventsToEnqueueOfLeads } from '#core/data/outbox/events.ts'
import { LEAD_EVENTS_QUEUE, eventJobId } from '#core/queue/queues.ts'
import { startReceiver, type Receiver } from '#scripts/lab/receiver/start-receiver.ts'
import { waitUntil } from '#tests/support/condition.ts'
import {
  drain,
  givenClient,
  givenConfig,
  givenLead,
  startPipeline,
  type TestPipeline,
} from '#tests/support/given/pipeline.ts'

const COUNT = 10

let pipeline: TestPipeline
let receiver: Receiver
let poisoned: { id: string }
beforeAll(async () => {
  pipeline = await startPipeline({}, { worker: false })
  receiver = await startReceiver()
  const { context, db } = pipeline
  const client = await givenClient(db)
  await givenConfig(context, client, { endpoint_url: receiver.url, trigger_on_lead_created: true })
  const leads = await Promise.all(Array.from({ length: COUNT }, () => givenLead(db, client)))
  const events = await findEventsToEnqueueOfLeads(db, leads)
  poisoned = { id: events[COUNT / 2]?.id ?? '' }
  // PostgreSQL refuses the deliveries of one event, as with a broken column.
  await sql`
    create function refuse_poison() returns trigger language plpgsql as $$
    begin raise exception 'poison'; end $$`.execute(db)
  await sql`
    create trigger refuse_poison before insert on webhook_deliveries for each row
    when (new.event_id = ${sql.lit(poisoned.id)}::uuid) execute function refuse_poison()`.execute(db)
  // Published together, so that one statement plans them.
  await context.events.publish(events, { mark: 'now' })
  await pipeline.startWorker()
})
afterAll(async () => {
  await receiver.close()
  await pipeline.close()
})

interface EventRow {
  failures: number
  has_failed: boolean
  is_planned: boolean
}

async function readEvent(): Promise<EventRow | undefined> {
  const { rows } = await sql<EventRow>`
    select failures, failed_at is not null as has_failed, planned_at is not null as is_planned
    from events where id = ${poisoned.id}`.execute(pipeline.db)
  return rows[0]
}

const deliveredIds = (): unknown[] => receiver.requests.map(({ headers }) => headers['webhook-id'])

test('one event that PostgreSQL refuses does not prevent the planning of others', async () => {
  await waitUntil(() => receiver.requests.length === COUNT - 1, { what: 'The others' })

  expect(deliveredIds()).not.toContain(poisoned.id)
  expect(new Set(deliveredIds()).size).toBe(COUNT - 1)
})

test('an event whose planning has failed five times is marked and counted, and its job is kept', async () => {
  await waitUntil(async () => (await readEvent())?.has_failed === true, {
    what: 'The end',
    timeoutMs: 30_000,
  })

  expect(await readEvent()).toEqual({ failures: 5, has_failed: true, is_planned: false })
  const [queue] = (await pipeline.context.watchedQueues.get()).filter(
    ({ name }) => name === LEAD_EVENTS_QUEUE,
  )
  await waitUntil(async () => (await queue?.getJobState(eventJobId(poisoned.id))) === 'failed', {
    what: 'The job',
  })
  const metrics = await pipeline.context.metrics.registry.metrics()
  expect(metrics).toContain('leadwire_failed_events{type="lead.created"} 1')
  expect(metrics).toContain('leadwire_oldest_unplanned_event_age_seconds 0')
})

test('after the repair the event is planned again, and delivered once even if it is published twice', async () => {
  const { context, db } = pipeline
  await sql`drop trigger refuse_poison on webhook_deliveries`.execute(db)
  // The statement of docs/operations; an operator would run it later than half a minute.
  await sql`update events set failures = 0, failed_at = null where failed_at is not null`.execute(db)
  await sql`update events set enqueued_at = now() - interval '1 minute' where id = ${poisoned.id}`.execute(db)
  await waitUntil(() => deliveredIds().includes(poisoned.id), { what: 'The delivery' })

  await context.events.publish([{ id: poisoned.id, type: 'lead.created', client_user_id: null }])
  await waitUntil(async () => (await readEvent())?.is_planned === true, { what: 'The plan' })
  // The receiver has the lead before the worker has recorded it.
  await drain(context)
  const { rows } = await sql`
    select state from webhook_deliveries where event_id = ${poisoned.id}`.execute(db)
  expect(rows).toEqual([{ state: 'delivered' }])
  expect(deliveredIds().filter((id) => id === poisoned.id)).toHaveLength(1)
})
