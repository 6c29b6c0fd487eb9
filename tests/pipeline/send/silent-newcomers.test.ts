import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { speedKey } from '#core/queue/read-queue-state.ts'
import { queuePrefix } from '#core/queue/redis.ts'
import { waitUntil } from '#tests/support/condition.ts'
import { SLOTS, startNeighbours, type Neighbours } from '#tests/support/given/neighbours.ts'
import { measureLease } from '#worker/dispatch/measure-lease.ts'
import { createSpeedClasses } from '#worker/endpoint/speed-classes.ts'

vi.setConfig({ testTimeout: 120_000 })

let neighbours: Neighbours
beforeAll(async () => {
  neighbours = await startNeighbours()
})
afterEach(() => neighbours.calm())
afterAll(() => neighbours.close())

test('unanswered requests hold no job, even if they were claimed while their events were planned', async () => {
  const { pipeline, givenKnown, answer, sendLeads, arrived, waitForNoJobs } = neighbours
  const { config, db } = pipeline.context
  const client = await givenKnown('mute', 1)
  const ofClient = db.selectFrom('webhook_deliveries').where('client_user_id', '=', client)
  answer('mute', 'silent')
  // Equal to the microsecond, because one statement made row and lease. A statement that had to wait claims
  // nothing.
  const whole = sql<boolean>`extract(epoch from lease_until - created_at) = ${measureLease(config.webhooks.timeoutMs)}`
  const isClaimedAsPlanned = async () => {
    await sendLeads(client, 1)
    return (await ofClient.select('id').where(whole).execute()).length > 0
  }
  await waitUntil(isClaimedAsPlanned, { what: 'a lead that is claimed as it is planned' })
  await waitUntil(() => arrived('mute') > 1, { what: 'the silent requests' })
  await waitForNoJobs()
})

test.each([
  [10, 12],
  [100, 1],
])(
  "a client's %i new webhooks that never answer, with %i leads, delay no other client's, not even a newcomer's",
  async (webhooks, leads) => {
    const { givenKnown, givenWebhooks, answer, sendLeads, arrived } = neighbours
    const [silent, named, fresh] = [`silent-${webhooks}`, `known-${webhooks}`, `newcomer-${webhooks}`]
    answer(silent, 'silent')
    const hostile = await givenWebhooks(silent, webhooks)
    const [known, newcomer] = [await givenKnown(named, 1), await givenWebhooks(fresh, 1)]

    await sendLeads(hostile, leads)
    await waitUntil(() => arrived(silent) >= 2, { what: 'the silent endpoints being tried' })
    await sendLeads(known, 10)
    await sendLeads(newcomer, 10)
    // Shorter than the silent requests, which have a minute each.
    await waitUntil(() => arrived(named) === 11 && arrived(fresh) === 10, {
      what: 'the leads of the others',
      timeoutMs: 45_000,
    })
    expect(arrived(silent)).toBeLessThan(SLOTS)
  },
)

test('the speed class of an endpoint that has answered is stored for the next worker', async () => {
  const { db, context } = neighbours.pipeline
  const client = await neighbours.givenKnown('again', 1)
  const { id } = await db
    .selectFrom('client_webhook_configs')
    .select('id')
    .where('client_user_id', '=', client)
    .executeTakeFirstOrThrow()
  const key = speedKey(queuePrefix(context.config.redis), id)
  await waitUntil(async () => (await context.redis.get(key)) === 'proved', { what: 'it being kept' })
})

test('an endpoint’s speed class stays stored while the endpoint answers, not only after its last change', async () => {
  const { context } = neighbours.pipeline
  const speedClasses = createSpeedClasses(context, { keptSeconds: 4, againMs: 100 })
  const endpoint = randomUUID()
  const key = speedKey(queuePrefix(context.config.redis), endpoint)
  const end = async () => Number(await context.redis.call('pexpiretime', key))
  speedClasses.keep(endpoint, 'proved')
  await waitUntil(async () => (await end()) > 0, { what: 'it being kept' })
  const first = await end()
  const keepOn = async () => {
    speedClasses.keep(endpoint, 'proved')
    return (await end()) > first
  }
  await waitUntil(keepOn, { what: 'it being kept for longer' })
  expect(await speedClasses.read(endpoint)).toEqual({ speed: 'proved', weight: undefined })
})

test('an endpoint’s speed class is stored again if Redis has lost it or another worker has changed it', async () => {
  const { context } = neighbours.pipeline
  const times = { keptSeconds: 3600, againMs: 50 }
  const [here, elsewhere] = [createSpeedClasses(context, times), createSpeedClasses(context, times)]
  const endpoint = randomUUID()
  const isKnownAs = async (speed: string) => (await here.read(endpoint)).speed === speed
  const proveOn = async () => {
    here.keep(endpoint, 'proved')
    return await isKnownAs('proved')
  }
  await waitUntil(proveOn, { what: 'it being known' })

  await context.redis.del(speedKey(queuePrefix(context.config.redis), endpoint))
  await waitUntil(proveOn, { what: 'it being known again' })
  elsewhere.keep(endpoint, 'slow')
  await waitUntil(() => isKnownAs('slow'), { what: 'the other worker being believed' })
  await waitUntil(proveOn, { what: 'the last one being believed' })
})
