import { createKeyring } from '#core/secrets/keyring.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { countPresentWorkers, tellPresence } from '#core/queue/present-workers.ts'
import { speedKey } from '#core/queue/read-queue-state.ts'
import { queuePrefix } from '#core/queue/redis.ts'
import { startReceiver, type Receiver } from '#scripts/lab/receiver/start-receiver.ts'
import { waitUntil } from '#tests/support/condition.ts'
import {
  givenClient,
  givenConfig,
  givenLead,
  publishEventsOfLead,
  startPipeline,
  type TestPipeline,
} from '#tests/support/given/pipeline.ts'
import { createContext } from '#worker/context.ts'
import { readSample } from '#tests/support/read-sample.ts'

let pipeline: TestPipeline
let receiver: Receiver

beforeAll(async () => {
  pipeline = await startPipeline({ WEBHOOK_CONCURRENCY: '10' }, { worker: false })
  receiver = await startReceiver('hang')
})
afterAll(async () => {
  await receiver.close()
  await pipeline.close()
})

const scrape = () => pipeline.context.metrics.registry.metrics()
const reasonOf = (text: string, reason: string) =>
  readSample(text, `leadwire_waiting_deliveries{reason="${reason}"}`)

/** Inserts deliveries of a new client to a new endpoint; returns the endpoint's id. */
async function givenDeliveries(count: number, fields: { state?: string; dueForSeconds?: number }) {
  const { context, db } = pipeline
  const client = await givenClient(db)
  const { id } = await givenConfig(context, client, { endpoint_url: receiver.url })
  const lead = await givenLead(db, client)
  const { state = 'pending', dueForSeconds = 0 } = fields
  await sql`
    insert into webhook_deliveries (event_id, event_type, webhook_config_id, client_user_id, lead_id, state, attempt,
      next_attempt_at, resend_of)
    select e.id, 'lead.created', ${id}::uuid, ${client}::uuid, e.lead_id, ${state}, ${dueForSeconds < 0 ? 1 : 0},
      now() - make_interval(secs => ${dueForSeconds}), gen_random_uuid()
    from events e, generate_series(1, ${count}::int) where e.lead_id = ${lead}`.execute(db)
  return id
}

test('a worker tells how many clients wait, how long the longest has waited, and why, without naming anybody', async () => {
  const { context } = pipeline
  const prefix = queuePrefix(context.config.redis)
  await givenDeliveries(3, { dueForSeconds: 90 })
  const slow = await givenDeliveries(6, { dueForSeconds: 30 })
  await sql`
    update webhook_deliveries set lease_token = gen_random_uuid(), lease_until = now() + interval '20 seconds'
    where id in (select id from webhook_deliveries where webhook_config_id = ${slow} limit 4)`.execute(
    pipeline.db,
  )
  await givenDeliveries(4, { dueForSeconds: -600 })
  await givenDeliveries(5, { state: 'held' })
  await context.redis.set(speedKey(prefix, slow), 'slow')
  await tellPresence(context.redis, prefix, { id: 'somebody', slots: 10 }, 60)

  const text = await scrape()

  expect(readSample(text, 'leadwire_waiting_clients')).toBe(2)
  expect(readSample(text, 'leadwire_longest_wait_seconds')).toBeGreaterThanOrEqual(90)
  expect(readSample(text, 'leadwire_longest_wait_seconds')).toBeLessThan(600)
  expect(readSample(text, 'leadwire_slots_in_use_ratio')).toBe(0)
  expect(
    ['next', 'endpoint_slow', 'not_due', 'breaker_open', 'switched_off', 'no_worker'].map((reason) =>
      reasonOf(text, reason),
    ),
  ).toEqual([3, 2, 4, 5, 0, 0])
  expect(text).not.toMatch(/[0-9a-f]{8}-[0-9a-f]{4}-|127\.0\.0\.1|@/)
})

test('without PostgreSQL the metrics have no value instead of an old one', async () => {
  const { config, logger } = pipeline.context
  const elsewhere = { ...config.database, url: 'postgres://127.0.0.1:1/nowhere' }
  const lonely = createContext(
    { ...config, database: elsewhere },
    createKeyring(config.secretsKey ?? ''),
    logger,
  )
  const text = await lonely.context.metrics.registry.metrics()
  await lonely.close()

  expect(readSample(text, 'leadwire_waiting_clients')).toBeUndefined()
  expect(reasonOf(text, 'next')).toBeUndefined()
})

test('the metric of used slots follows the exchanges of a worker', async () => {
  const { context, db } = pipeline
  await db.deleteFrom('webhook_deliveries').execute()
  await pipeline.startWorker()
  const client = await givenClient(db)
  await givenConfig(context, client, { endpoint_url: receiver.url, trigger_on_lead_created: true })
  await publishEventsOfLead(context, await givenLead(db, client))
  await receiver.waitForCount(1)

  expect(readSample(await scrape(), 'leadwire_slots_in_use_ratio')).toBe(0.1)
  await receiver.close()
  await waitUntil(async () => readSample(await scrape(), 'leadwire_slots_in_use_ratio') === 0, {
    what: 'The exchange being over',
  })
  await pipeline.stopWorker()
})

test('a worker is listed with its slots while it runs, and removed when it ends', async () => {
  const { redis, config } = pipeline.context
  const prefix = queuePrefix(config.redis)
  await redis.del(`${prefix}:workers`)
  await pipeline.startWorker()
  await waitUntil(async () => (await countPresentWorkers(redis, prefix)).count === 1, {
    what: 'The worker having told of itself',
  })

  expect(await countPresentWorkers(redis, prefix)).toEqual({ count: 1, slots: 10 })
  await pipeline.stopWorker()
  expect(await countPresentWorkers(redis, prefix)).toEqual({ count: 0, slots: 0 })
})

test('a worker that has not reported for some time is no longer listed', async () => {
  const { redis, config } = pipeline.context
  const prefix = queuePrefix(config.redis)
  await tellPresence(redis, prefix, { id: 'killed', slots: 10 }, -1)
  await tellPresence(redis, prefix, { id: 'alive', slots: 20 }, 60)

  expect(await countPresentWorkers(redis, prefix)).toEqual({ count: 1, slots: 20 })
})
