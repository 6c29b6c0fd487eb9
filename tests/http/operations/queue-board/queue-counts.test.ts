import { once } from 'node:events'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { queuesSchema, type Queues } from '#core/contract/operations/queues.ts'
import { DELIVERIES_QUEUE } from '#core/queue/queues.ts'
import { tellPresence } from '#core/queue/present-workers.ts'
import { openProducerConnection, queuePrefix, type RedisConnection } from '#core/queue/redis.ts'
import { chooseShard } from '#core/queue/shards.ts'
import { givenOutage } from '../../support/outage.ts'
import { startApp, type Person, type TestApp } from '../../support/start-app.ts'
import { waitsOf } from '../../support/waiting-deliveries.ts'

const PATH = '/api/v1/admin/queues'
const SHARDS = 3

let app: TestApp
let redis: RedisConnection
beforeAll(async () => {
  app = await startApp({ QUEUE_SHARDS: String(SHARDS) })
  redis = openProducerConnection(app.context.config.redis)
  await once(redis, 'ready')
})
afterAll(async () => {
  redis.disconnect()
  await app.close()
})

async function ask(): Promise<Queues> {
  app.context.operations.queueCounter.forget()
  const { json } = await app.call('GET', PATH, { token: app.admin.token })
  return queuesSchema.parse(json)
}
const plain = (counts: Partial<Queues['total']> = {}) =>
  Object.fromEntries(
    Object.entries(counts).map(([state, { count, more }]) => [state, more ? `${count}+` : count]),
  )
const shardOf = ({ id }: Person) => chooseShard(id, SHARDS)

test('are counted for each shard and in all, with what is wrong', async () => {
  const { client } = await givenOutage(app)
  const { givenConfig, givenDeliveries } = waitsOf(() => app)
  let other = await app.newClient()
  while (shardOf(other) === shardOf(client)) other = await app.newClient()
  await givenDeliveries(other, await givenConfig(other), { count: 2, dueForSeconds: 300 })

  const { total, shards, problems, oldest_due_at: oldest, workers } = await ask()

  const ofClient = { waiting: 0, active: 50, delayed: 92, held: 12, failed: 3, completed: 0 }
  expect(plain(total)).toEqual({ ...ofClient, waiting: 2 })
  expect(shards.map(({ queue }) => queue)).toEqual([
    DELIVERIES_QUEUE,
    `${DELIVERIES_QUEUE}.1`,
    `${DELIVERIES_QUEUE}.2`,
  ])
  expect(plain(shards[shardOf(client)]?.counts)).toEqual(ofClient)
  expect(plain(shards[shardOf(other)]?.counts)).toEqual({
    waiting: 2,
    active: 0,
    delayed: 0,
    held: 0,
    failed: 0,
    completed: 0,
  })
  expect(Date.now() - Date.parse(oldest ?? '')).toBeGreaterThanOrEqual(300_000)
  expect(workers).toEqual({ count: 0, slots: 0 })
  expect(problems.map(({ sentence }) => sentence)).toEqual([
    'No worker runs, so nothing is sent. Start a worker.',
    'The oldest due delivery has waited for 5 minutes.',
    'Many attempts fail: 83 deliveries wait for a retry or finally failed in the last hour, all to crm.example.com:8443.',
    'crm.example.com:8443 does not answer, so 12 deliveries are held until a single try gets an answer.',
  ])

  await tellPresence(redis, queuePrefix(app.context.config.redis), { id: 'first', slots: 100 }, 60)
  expect((await ask()).problems.map(({ code }) => code)).toEqual(['overdue', 'failing', 'silent'])
})

test('delivered ones are counted for an hour', async () => {
  const { db } = app.context
  const before = (await ask()).total.completed.count
  await sql`
    insert into webhook_delivery_logs (created_at, webhook_config_id, client_user_id, delivery_id, event_id, event_type,
      lead_id, delivery_status, attempt_number, request_url, request_method)
    select now() - ages.age, d.webhook_config_id, d.client_user_id, d.id, d.event_id, d.event_type, d.lead_id, ages.status, 1,
      'https://crm.example.com/', 'POST'
    from (select * from webhook_deliveries limit 1) d, (values (interval '59 minutes', 'delivered'),
      (interval '61 minutes', 'delivered'), (interval '1 minute', 'failed')) as ages (age, status)`.execute(
    db,
  )

  expect((await ask()).total.completed).toEqual({ count: before + 1, more: false })
})

test('are for administrators', async () => {
  const client = await app.newClient()
  expect((await app.call('GET', PATH)).status).toBe(401)
  expect((await app.call('GET', PATH, { token: client.token })).status).toBe(403)
})
