import { Queue } from 'bullmq'
import { sql } from 'kysely'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { DELIVERIES_QUEUE, LEAD_EVENTS_QUEUE } from '#core/queue/queues.ts'
import { queuePrefix } from '#core/queue/redis.ts'
import { createWatchLiveness } from '#worker/housekeeping/watch/watch-liveness.ts'
import type { Pulse } from '#worker/queues/queue-workers.ts'
import {
  givenClient,
  givenConfig,
  givenLead,
  startPipeline,
  type TestPipeline,
} from '#tests/support/given/pipeline.ts'

let pipeline: TestPipeline
let queue: Queue
const openQueues: Queue[] = []
let pulse: Pulse
let sends: Pulse
let told: string[]
let look: () => Promise<void>

beforeEach(async () => {
  pipeline = await startPipeline({ LOG_LEVEL: 'silent' }, { worker: false })
  const { context } = pipeline
  queue = openQueue(DELIVERIES_QUEUE)
  pulse = { queue: DELIVERIES_QUEUE, slots: 5, started: 3, running: 0 }
  const planning = { queue: LEAD_EVENTS_QUEUE, slots: 5, started: 0, running: 0 }
  sends = { queue: 'rounds', slots: 1, started: 0, running: 0 }
  told = []
  look = createWatchLiveness(
    context,
    { pulses: [pulse, planning], replace: () => told.push('replace') },
    { sends, looks: 2, giveUp: () => told.push('give up') },
  )
})
afterEach(async () => {
  await Promise.all(openQueues.splice(0).map((one) => one.close()))
  await pipeline.close()
})

function openQueue(name: string): Queue {
  const { redis, config } = pipeline.context
  const opened = new Queue(name, { connection: redis, prefix: queuePrefix(config.redis) })
  openQueues.push(opened)
  return opened
}

async function looks(count: number): Promise<void> {
  for (let done = 0; done < count; done += 1) await look()
}

/** Inserts a delivery that has been due for a minute and has no job. */
async function givenOverdue(state: 'pending' | 'held' = 'pending'): Promise<string> {
  const { db, context } = pipeline
  const client = await givenClient(db)
  const config = await givenConfig(context, client, { endpoint_url: 'http://127.0.0.1:9/leads' })
  const lead = await givenLead(db, client)
  await sql`update events set planned_at = now(), enqueued_at = now()`.execute(db)
  const { rows } = await sql<{ id: string }>`
    insert into webhook_deliveries (event_id, event_type, webhook_config_id, client_user_id, lead_id, state, next_attempt_at)
    select id, type, ${config.id}::uuid, ${client}::uuid, ${lead}::uuid, ${state}, now() - interval '1 minute' from events
    where lead_id = ${lead}
    returning id
  `.execute(db)
  return rows[0]?.id ?? ''
}

test('waiting work that is not begun replaces the workers, and then ends the process', async () => {
  await queue.add('deliver', {})

  await looks(2)
  expect(told).toEqual([])
  await looks(1)
  expect(told).toEqual(['replace'])
  await looks(2)
  expect(told).toEqual(['replace', 'give up'])
})

test('workers that begin a job after they were replaced get another chance', async () => {
  await queue.add('deliver', {})
  await looks(3)
  pulse.started += 1
  await looks(3)

  expect(told).toEqual(['replace', 'replace'])
})

test.each([
  ['begins jobs', () => void (pulse.started += 1)],
  ['has no free slot', () => void (pulse.running = pulse.slots)],
])('a worker that %s is left alone', async (_what, live) => {
  await queue.add('deliver', {})
  for (let done = 0; done < 6; done += 1) {
    live()
    await look()
  }

  expect(told).toEqual([])
})

test('paused queues and delayed jobs do not count as waiting work', async () => {
  await queue.add('deliver', {})
  await queue.pause()
  await looks(6)
  expect(told).toEqual([])

  await queue.drain()
  await queue.resume()
  await queue.add('deliver', {}, { delay: 60_000 })
  await looks(6)
  expect(told).toEqual([])
})

test('overdue deliveries in PostgreSQL count as waiting work, even if Redis shows none', async () => {
  await givenOverdue()
  await looks(3)

  expect(told).toEqual(['replace'])
})

test('overdue deliveries in PostgreSQL do not count while their queue is paused', async () => {
  await givenOverdue()
  await queue.pause()
  await looks(6)
  expect(told).toEqual([])

  await queue.resume()
  await looks(2)
  expect(told).toEqual(['replace'])
})

test('a worker that is sending, or has sent since the last check, is left alone, however much is overdue', async () => {
  await givenOverdue()
  sends.running = 1
  await looks(6)
  sends.running = 0
  for (let done = 0; done < 6; done += 1) {
    sends.started += 1
    await look()
  }

  expect(told).toEqual([])
})

test('unplanned events do not count while their queue is paused', async () => {
  const { db } = pipeline
  await givenLead(db, await givenClient(db))
  await sql`update events set planned_at = null, enqueued_at = now() - interval '1 minute'`.execute(db)
  const events = openQueue(LEAD_EVENTS_QUEUE)
  await events.pause()
  await looks(6)
  expect(told).toEqual([])

  await events.resume()
  await looks(2)
  expect(told).toEqual(['replace'])
})

test('held and leased deliveries do not count as waiting work', async () => {
  await givenOverdue('held')
  const leased = await givenOverdue()
  await sql`update webhook_deliveries set lease_until = now() + interval '1 hour' where id = ${leased}`.execute(
    pipeline.db,
  )
  await looks(6)

  expect(told).toEqual([])
})
