import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { tellPresence } from '#core/queue/present-workers.ts'
import { speedKey } from '#core/queue/read-queue-state.ts'
import { openProducerConnection, queuePrefix, type RedisConnection } from '#core/queue/redis.ts'
import { startApp, type Person, type TestApp } from '../support/start-app.ts'
import { waitsOf, WAITS_PATH } from '../support/waiting-deliveries.ts'

let app: TestApp
let redis: RedisConnection
let prefix: string
let ada: Person
let ben: Person

beforeAll(async () => {
  app = await startApp()
  prefix = queuePrefix(app.context.config.redis)
  redis = openProducerConnection(app.context.config.redis)
  await once(redis, 'ready')
  ada = await app.newClient()
  ben = await app.newClient()
})
afterAll(async () => {
  redis.disconnect()
  await app.close()
})
beforeEach(async () => {
  await app.context.db.deleteFrom('webhook_deliveries').execute()
  await redis.del(`${prefix}:workers`)
})

const startWorker = (id: string, slots = 100) => tellPresence(redis, prefix, { id, slots }, 60)
const { ask, askOf, givenConfig, givenDeliveries } = waitsOf(() => app)

describe('the list of waiting clients', () => {
  test('is empty while nothing is due, even if deliveries are planned or held', async () => {
    const config = await givenConfig(ada)
    await givenDeliveries(ada, config, { dueForSeconds: -300 })
    await givenDeliveries(ada, config, { state: 'held' })

    expect(await ask()).toEqual({ data: [], clients: 0, workers: { count: 0, slots: 0 } })
  })

  test('shows the clients with due deliveries, longest wait first, with all their other deliveries', async () => {
    const adas = await givenConfig(ada)
    const bens = await givenConfig(ben)
    await givenDeliveries(ada, adas, { count: 2, dueForSeconds: 30 })
    await givenDeliveries(ben, bens, { count: 3, dueForSeconds: 90 })
    await givenDeliveries(ben, bens, { dueForSeconds: 200, leasedForSeconds: 20 })
    await givenDeliveries(ben, bens, { count: 4, dueForSeconds: -300 })
    await givenDeliveries(ben, await givenConfig(ben), { count: 5, state: 'held' })
    await startWorker('first')
    await startWorker('second', 50)

    const { data, clients, workers } = await ask()

    expect(data).toMatchObject([
      { client: { user_id: ben.id, email: ben.email }, waiting: 3, in_flight: 1, later: 4, held: 5 },
      { client: { user_id: ada.id, email: ada.email }, waiting: 2, in_flight: 0, later: 0, held: 0 },
    ])
    expect(ageOf(data[0]?.oldest_due_at)).toBeGreaterThanOrEqual(90)
    expect(ageOf(data[0]?.oldest_due_at)).toBeLessThan(200)
    expect(clients).toBe(2)
    expect(workers).toEqual({ count: 2, slots: 150 })
  })

  test('shows a client with only one delivery in flight last, and does not count it', async () => {
    await givenDeliveries(ada, await givenConfig(ada), { dueForSeconds: 900, leasedForSeconds: 20 })
    await givenDeliveries(ben, await givenConfig(ben), { dueForSeconds: 2 })

    const { data, clients } = await ask()

    expect(data).toMatchObject([
      { client: { user_id: ben.id }, waiting: 1 },
      { client: { user_id: ada.id }, waiting: 0, in_flight: 1, oldest_due_at: null },
    ])
    expect(clients).toBe(1)
  })

  test('counts a delivery with an expired lease as waiting', async () => {
    await givenDeliveries(ada, await givenConfig(ada), { dueForSeconds: 40, leasedForSeconds: -5 })

    expect((await ask()).data).toMatchObject([{ waiting: 1, in_flight: 0 }])
  })

  test('does not let a client with many deliveries hide others, and counts up to a limit', async () => {
    await givenDeliveries(ada, await givenConfig(ada), { count: 6000, dueForSeconds: 600 })
    await givenDeliveries(ben, await givenConfig(ben), { dueForSeconds: 3 })

    expect((await ask()).data).toMatchObject([
      { client: { user_id: ada.id }, waiting: 5000, more_waiting: true, more_later: false },
      { client: { user_id: ben.id }, waiting: 1, more_waiting: false },
    ])
  })
})

describe('the reason why a client’s deliveries have not begun', () => {
  test('is given for each endpoint, without the hidden parts of its URL', async () => {
    const off = await givenConfig(ada, { webhook_name: 'Off' })
    const silent = await givenConfig(ada, { webhook_name: 'Silent' })
    const fresh = await givenConfig(ada, { webhook_name: 'Fresh' })
    const slow = await givenConfig(ada, { webhook_name: 'Slow' })
    await givenDeliveries(ada, off, { dueForSeconds: 50 })
    await givenDeliveries(ada, silent, { state: 'held' })
    await givenDeliveries(ada, fresh, { count: 2, dueForSeconds: 40, leasedForSeconds: 20 })
    await givenDeliveries(ada, fresh, { count: 7, dueForSeconds: 40 })
    await givenDeliveries(ada, slow, { dueForSeconds: 30 })
    await givenDeliveries(ada, slow, { count: 40, dueForSeconds: 30, leasedForSeconds: 20 })
    await app.call('PATCH', `/api/v1/webhook-configs/${off}`, {
      token: ada.token,
      body: { is_active: false },
    })
    await app.context.db
      .insertInto('webhook_endpoint_health')
      .values({ webhook_config_id: silent, breaker: 'open', probe_at: new Date(Date.now() + 30_000) })
      .execute()
    await redis.set(speedKey(prefix, slow), 'slow')
    await startWorker('only')

    const endpoints = await askOf(ada)

    expect(endpoints).toMatchObject([
      { webhook_name: 'Off', waiting: 1, standing: 'new', reason: { code: 'switched_off' } },
      { webhook_name: 'Fresh', waiting: 7, in_flight: 2, standing: 'new', reason: { code: 'endpoint_new' } },
      { webhook_name: 'Slow', waiting: 1, standing: 'slow', reason: { code: 'endpoint_slow' } },
      { webhook_name: 'Silent', waiting: 0, held: 1, reason: { code: 'breaker_open' } },
    ])
    expect(endpoints[1]?.reason.sentence).toBe(
      'The endpoint has never answered, and 2 requests to it are under way. It waits for the first answer.',
    )
    expect(ageOf(endpoints[3]?.reason.until)).toBeLessThan(0)
    expect(endpoints[0]).toMatchObject({ endpoint_host: 'crm.example.com' })
    expect(JSON.stringify(endpoints)).not.toContain('very-secret')
  })

  test('is the owner’s decision, if all came while the webhook was off; earlier pages know the code', async () => {
    const config = await givenConfig(ada)
    await givenDeliveries(ada, config, { state: 'held' })
    await app.context.db
      .updateTable('webhook_deliveries')
      .set({ offered_until: new Date(Date.now() + 86_400_000) })
      .where('webhook_config_id', '=', config)
      .execute()

    const [endpoint] = await askOf(ada)

    expect(endpoint).toMatchObject({ held: 1, reason: { code: 'switched_off' } })
    expect(endpoint?.reason.sentence).toBe(
      'It came while the webhook was off. The owner of the webhook sends or discards it.',
    )
  })

  test('is the time of the next attempt, if only retries are planned', async () => {
    await givenDeliveries(ada, await givenConfig(ada), { count: 2, dueForSeconds: -300 })

    const [endpoint] = await askOf(ada)

    expect(endpoint).toMatchObject({ waiting: 0, later: 2, reason: { code: 'not_due' } })
    expect(ageOf(endpoint?.reason.until)).toBeLessThan(-250)
  })

  test('is the missing worker, if none runs', async () => {
    await givenDeliveries(ada, await givenConfig(ada))

    expect(await askOf(ada)).toMatchObject([{ reason: { code: 'no_worker', until: null } }])
  })

  test('is the paused queue, if one is paused', async () => {
    await givenDeliveries(ada, await givenConfig(ada))
    await startWorker('only')
    const [queue] = (await app.context.operations.queues.get()).filter(
      ({ name }) => name === 'webhook-deliveries',
    )
    await queue?.pause()

    const paused = await askOf(ada)
    await queue?.resume()

    expect(paused).toMatchObject([{ reason: { code: 'queue_paused' } }])
    expect(await askOf(ada)).toMatchObject([{ reason: { code: 'next' } }])
  })

  test('is the client’s own share, if its deliveries are in flight at another endpoint', async () => {
    const good = await givenConfig(ada)
    const other = await givenConfig(ada)
    await givenDeliveries(ada, good, { count: 8, leasedForSeconds: 20 })
    await givenDeliveries(ada, other, { dueForSeconds: 5 })
    for (const config of [good, other]) await redis.set(speedKey(prefix, config), 'proved')
    await startWorker('small', 10)

    expect(await askOf(ada)).toMatchObject([
      { webhook_config_id: other, standing: 'proved', reason: { code: 'client_share' } },
      { webhook_config_id: good, in_flight: 8, reason: { code: 'in_progress' } },
    ])
  })

  test('is that every slot is in use, even if very many clients hold one each', async () => {
    const good = await givenConfig(ada)
    await redis.set(speedKey(prefix, good), 'proved')
    await givenDeliveries(ada, good, { dueForSeconds: 5 })
    const crowd = await Promise.all(Array.from({ length: 25 }, () => app.newClient()))
    for (const [index, one] of crowd.entries())
      await givenDeliveries(one, await givenConfig(one), { leasedForSeconds: 20, dueForSeconds: 60 + index })
    await startWorker('small', 25)

    expect(await askOf(ada)).toMatchObject([{ reason: { code: 'slots_full' } }])
  })

  test('adds up the slots of all workers: with two, three new endpoints of a client each', async () => {
    const second = await givenConfig(ada)
    await givenDeliveries(ada, await givenConfig(ada), { count: 5, leasedForSeconds: 20 })
    await givenDeliveries(ada, second, { dueForSeconds: 5 })
    for (const id of ['first', 'second']) await startWorker(id)
    const [before] = await askOf(ada)
    await givenDeliveries(ada, await givenConfig(ada), { leasedForSeconds: 20 })
    const [after] = await askOf(ada)

    expect(before).toMatchObject({ webhook_config_id: second, reason: { code: 'next' } })
    expect(after).toMatchObject({ webhook_config_id: second, reason: { code: 'newcomers' } })
  })

  test('is low priority, if a retry is due', async () => {
    await givenDeliveries(ada, await givenConfig(ada))
    await app.context.db.updateTable('webhook_deliveries').set({ attempt: 1 }).execute()
    await startWorker('only')
    expect(await askOf(ada)).toMatchObject([{ reason: { code: 'gives_way' } }])
  })

  test('is empty for a client without waiting deliveries, and for an unknown one', async () => {
    expect(await askOf(ben)).toEqual([])
    expect(await askOf({ ...ben, id: randomUUID() })).toEqual([])
  })
})

test('without Redis the rows are still shown, with a note that Redis does not respond', async () => {
  const lonely = await startApp({ REDIS_URL: 'redis://127.0.0.1:1' })
  const client = await lonely.newClient()
  const waits = waitsOf(() => lonely)
  await waits.givenDeliveries(client, await waits.givenConfig(client))
  const told = await waits.ask()
  const endpoints = await waits.askOf(client)
  await lonely.close()

  expect(told).toMatchObject({ data: [{ waiting: 1 }], workers: null })
  expect(endpoints).toMatchObject([{ standing: null, reason: { code: 'redis_away' } }])
})

test('clients cannot read waits, not even their own', async () => {
  for (const path of [WAITS_PATH, `${WAITS_PATH}/${ada.id}`]) {
    expect((await app.call('GET', path, { token: ada.token })).status).toBe(403)
    expect((await app.call('GET', path)).status).toBe(401)
  }
  expect((await app.call('GET', `${WAITS_PATH}/nobody`, { token: app.admin.token })).status).toBe(404)
})

/** Seconds since then; negative for the future. */
const ageOf = (at: string | null | undefined): number => (Date.now() - Date.parse(at ?? '')) / 1000
