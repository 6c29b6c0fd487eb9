import { afterAll, beforeAll, expect, test } from 'vitest'
import { sql } from 'kysely'
import { Queue } from 'bullmq'
import type { EventToEnqueue } from '#core/data/outbox/events.ts'
import { findOverdueDeliveries } from '#core/data/webhooks/deliveries/plan-deliveries.ts'
import { DELIVERIES_QUEUE, LEAD_EVENTS_QUEUE, deliveryJobId, eventJobId } from '#core/queue/queues.ts'
import { queuePrefix } from '#core/queue/redis.ts'
import { createReconcileDeliveries } from '#worker/housekeeping/repair/reconcile-deliveries.ts'
import { createRelayEvents } from '#worker/housekeeping/repair/relay-events.ts'
import {
  givenClient,
  givenConfig,
  givenLead,
  startPipeline,
  type TestPipeline,
} from '#tests/support/given/pipeline.ts'

const COUNT = 1200

let pipeline: TestPipeline
let queue: Queue

beforeAll(async () => {
  pipeline = await startPipeline({}, { worker: false })
  const { context, db } = pipeline
  queue = new Queue(DELIVERIES_QUEUE, {
    connection: context.redis,
    prefix: queuePrefix(context.config.redis),
  })
  const client = await givenClient(db)
  const config = await givenConfig(context, client, { endpoint_url: 'http://127.0.0.1:9/leads' })
  const lead = await givenLead(db, client)
  // In one statement they share their due time to the microsecond, as those of one batch of events do.
  await sql`
    with told as (
      insert into events (type, lead_id, client_user_id, enqueued_at, planned_at)
      select 'lead.assigned', ${lead}, ${client}, now(), now() from generate_series(1, ${COUNT}::int) returning id
    )
    insert into webhook_deliveries (event_id, event_type, webhook_config_id, client_user_id, lead_id, next_attempt_at)
    select id, 'lead.assigned', ${config.id}::uuid, ${client}::uuid, ${lead}::uuid, now() - interval '1 minute' from told
  `.execute(db)
})
afterAll(async () => {
  await queue.close()
  await pipeline.close()
})

async function overdueIds(): Promise<string[]> {
  const rows = await findOverdueDeliveries(pipeline.db, { overdueSeconds: 5, limit: COUNT * 2, after: null })
  return rows.map(({ delivery_id: id }) => id)
}

test('deliveries that became due together are restored, however many pages they fill', async () => {
  await createReconcileDeliveries(pipeline.context)(5)

  expect(await queue.getWaitingCount()).toBe(COUNT)
})

test('jobs that only wait are left alone', async () => {
  const before = await queue.getWaiting(0, COUNT)

  await createReconcileDeliveries(pipeline.context)(5)

  expect((await queue.getWaiting(0, COUNT)).map(({ id }) => id)).toEqual(before.map(({ id }) => id))
})

test('a job that is gone is added again, though its delivery is the last of all', async () => {
  const last = (await overdueIds()).at(-1) ?? ''
  await queue.remove(deliveryJobId(last, 1))

  await createReconcileDeliveries(pipeline.context)(5)

  expect(await queue.getJobState(deliveryJobId(last, 1))).toBe('waiting')
})

test('a job that exists and is in no list is added again', async () => {
  const [first = ''] = await overdueIds()
  const jobId = deliveryJobId(first, 1)
  await pipeline.context.redis.lrem(queue.toKey('wait'), 1, jobId)
  expect(await queue.getJobState(jobId)).toBe('unknown')

  await createReconcileDeliveries(pipeline.context)(5)

  expect(await queue.getJobState(jobId)).toBe('waiting')
})

test('one run looks closely at few, and the runs after it at the others', async () => {
  const ids = await overdueIds()
  const orphans = [ids[0], ids[450], ids[700], ids.at(-1)].map((id) => deliveryJobId(id ?? '', 1))
  for (const jobId of orphans) await pipeline.context.redis.lrem(queue.toKey('wait'), 1, jobId)
  const states = () => Promise.all(orphans.map((jobId) => queue.getJobState(jobId)))
  const reconcileDeliveries = createReconcileDeliveries(pipeline.context)

  await reconcileDeliveries(5)
  expect(await states()).toEqual(['waiting', 'unknown', 'unknown', 'unknown'])
  for (let run = 2; run <= COUNT / 100; run += 1) await reconcileDeliveries(5)
  expect(await states()).toEqual(['waiting', 'waiting', 'waiting', 'waiting'])

  await pipeline.context.redis.lrem(queue.toKey('wait'), 1, orphans[0] ?? '')
  await reconcileDeliveries(5)
  await reconcileDeliveries(5)
  expect(await states()).toEqual(['waiting', 'waiting', 'waiting', 'waiting'])
})

test.each([
  ['an hour ahead', 3_600_000],
  ['an hour behind', -3_600_000],
])('a job that a clock %s put to sleep is woken', async (_clock, shiftMs) => {
  const [first = '', second = ''] = await overdueIds()
  const asleep = deliveryJobId(first, 1)
  const dozing = deliveryJobId(second, 1)
  const sleepUntil = async (jobId: string, at: number): Promise<void> => {
    await pipeline.context.redis.lrem(queue.toKey('wait'), 1, jobId)
    await pipeline.context.redis.zadd(queue.toKey('delayed'), at * 4096, jobId)
  }
  await sleepUntil(asleep, Date.now() + shiftMs)
  // What a busy endpoint's gate does.
  await sleepUntil(dozing, Date.now() + 9000)

  await createReconcileDeliveries(pipeline.context)(5)

  expect(await queue.getJobState(asleep)).toBe('waiting')
  expect(await queue.getJobState(dozing)).toBe('delayed')
  await queue.remove(dozing)
})

test('an event whose job is in no list is enqueued again', async () => {
  const { context, db } = pipeline
  const events = new Queue(LEAD_EVENTS_QUEUE, {
    connection: context.redis,
    prefix: queuePrefix(context.config.redis),
  })
  await givenLead(db, await givenClient(db))
  const [event] = await newestUnplannedEvent(db)
  await context.events.publish(event === undefined ? [] : [event], { mark: 'now' })
  const jobId = eventJobId(event?.id ?? '')
  await context.redis.lrem(events.toKey('wait'), 1, jobId)
  await sql`update events set enqueued_at = now() - interval '1 minute' where planned_at is null`.execute(db)
  expect(await events.getJobState(jobId)).toBe('unknown')

  await createRelayEvents(context)()

  expect(await events.getJobState(jobId)).toBe('waiting')
  await events.close()
})

async function newestUnplannedEvent(db: TestPipeline['db']): Promise<EventToEnqueue[]> {
  return db
    .selectFrom('events')
    .select(['id', 'type'])
    .where('planned_at', 'is', null)
    .orderBy('created_at', 'desc')
    .limit(1)
    .execute()
}
