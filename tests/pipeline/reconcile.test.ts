import { afterAll, beforeAll, expect, test } from 'vitest'
import { sql } from 'kysely'
import { Queue } from 'bullmq'
import { findOverdueDeliveries } from '#core/data/plan-deliveries.ts'
import { DELIVERIES_QUEUE, deliveryJobId } from '#core/queue/queues.ts'
import { queuePrefix } from '#core/queue/redis.ts'
import { reconcileDeliveries } from '#worker/housekeeping/reconcile-deliveries.ts'
import { givenClient, givenConfig, givenLead, startPipeline, type TestPipeline } from '../support/pipeline.ts'

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
  await reconcileDeliveries(pipeline.context)

  expect(await queue.getWaitingCount()).toBe(COUNT)
})

test('jobs that only wait are left alone', async () => {
  const before = await queue.getWaiting(0, COUNT)

  await reconcileDeliveries(pipeline.context)

  expect((await queue.getWaiting(0, COUNT)).map(({ id }) => id)).toEqual(before.map(({ id }) => id))
})

test('a job that is gone is added again, though its delivery is the last of all', async () => {
  const last = (await overdueIds()).at(-1) ?? ''
  await queue.remove(deliveryJobId(last, 1))

  await reconcileDeliveries(pipeline.context)

  expect(await queue.getJobState(deliveryJobId(last, 1))).toBe('waiting')
})

test('a job that exists and is in no list is added again', async () => {
  const [first = ''] = await overdueIds()
  const jobId = deliveryJobId(first, 1)
  await pipeline.context.redis.lrem(queue.toKey('wait'), 1, jobId)
  expect(await queue.getJobState(jobId)).toBe('unknown')

  await reconcileDeliveries(pipeline.context)

  expect(await queue.getJobState(jobId)).toBe('waiting')
})
