import { Queue } from 'bullmq'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { EventToEnqueue } from '#core/data/outbox/events.ts'
import { EVENT_BURSTS_QUEUE, LEAD_EVENTS_QUEUE, eventJobId } from '#core/queue/queues.ts'
import { queuePrefix } from '#core/queue/redis.ts'
import { createRelayEvents } from '#worker/housekeeping/repair/relay-events.ts'
import { givenClient, givenLead, startPipeline, type TestPipeline } from '#tests/support/given/pipeline.ts'

let pipeline: TestPipeline

beforeAll(async () => {
  pipeline = await startPipeline({}, { worker: false })
})
afterAll(() => pipeline.close())

test('an event whose job is in no list of Redis is enqueued again', async () => {
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

test('each client has its own token bucket in a relayed backlog, so a single event does not wait for another client’s many', async () => {
  const { context, db } = pipeline
  const [many, few] = [await givenClient(db), await givenClient(db)]
  for (let count = 0; count < 300; count += 1) await givenLead(db, many)
  await givenLead(db, few)
  await sql`update events set created_at = created_at - interval '1 minute' where enqueued_at is null`.execute(
    db,
  )
  const queues = [LEAD_EVENTS_QUEUE, EVENT_BURSTS_QUEUE].map(
    (name) => new Queue(name, { connection: context.redis, prefix: queuePrefix(context.config.redis) }),
  )
  const countOf = async (whose: string) => {
    const ids = await db.selectFrom('events').select('id').where('client_user_id', '=', whose).execute()
    const jobs = await Promise.all(
      queues.map((queue) => Promise.all(ids.map(({ id }) => queue.getJob(eventJobId(id))))),
    )
    return jobs.map((found) => found.filter((job) => job !== undefined).length)
  }

  await createRelayEvents(context)()

  expect(await countOf(few)).toEqual([1, 0])
  const [atOnce = 0, later = 0] = await countOf(many)
  expect(atOnce + later).toBe(300)
  expect(later).toBeGreaterThan(0)
  for (const queue of queues) await queue.close()
})

async function newestUnplannedEvent(db: TestPipeline['db']): Promise<EventToEnqueue[]> {
  return db
    .selectFrom('events')
    .select(['id', 'type', 'client_user_id'])
    .where('planned_at', 'is', null)
    .orderBy('created_at', 'desc')
    .limit(1)
    .execute()
}
