// Crashes between the event's job and its deliveries.
import { cp, rm } from 'node:fs/promises'
import { sql } from 'kysely'
import { expect, test, vi } from 'vitest'
import { LEAD_EVENTS_QUEUE } from '#core/queue/queues.ts'
import { waitUntil } from '../../support/condition.ts'
import {
  countLeased,
  expectEachDelivered,
  keepLocked,
  watchDeath,
  WITHIN,
} from '#tests/support/processes/carried.ts'
import { holdInserts, setUpCrashPoint, type CrashPoint } from '#tests/support/processes/crash-point.ts'
import { drain } from '#tests/support/given/pipeline.ts'

// Many processes run at once, and the machine may be slow.
vi.setConfig({ testTimeout: 240_000 })

const LEADS = 20

/** Creates leads whose events are in Redis and marked in PostgreSQL; no worker is running. */
async function enqueueLeads({ pipeline, enqueueLead }: CrashPoint): Promise<string[]> {
  const leads: string[] = []
  for (let index = 0; index < LEADS; index += 1) leads.push(await enqueueLead())
  await waitUntil(async () => {
    const { rows } = await sql`select from events where enqueued_at is null`.execute(pipeline.db)
    return rows.length === 0
  })
  return leads
}

function leadsReceived({ crm }: CrashPoint): Set<string> {
  return new Set(crm.requests.map(({ body }) => (JSON.parse(body) as { lead_id: string }).lead_id))
}

/**
 * Waits until a worker knows the contents of Redis; its first poll, which also rebuilds jobs, is then over.
 */
async function waitForHeartbeat({ pipeline: { context } }: CrashPoint, beats = 3): Promise<void> {
  await waitUntil(async () => {
    const [key] = await context.redis.keys('*:heartbeat:*')
    return key !== undefined && Number(await context.redis.get(key)) >= beats
  })
}

test.concurrent('6: Redis is flushed after events were marked; every job is rebuilt at once', async (context) => {
  const point = await setUpCrashPoint(context, { own: ['redis'] })
  const worker = await point.worker()
  await waitForHeartbeat(point)
  worker.freeze()
  const leads = await enqueueLeads(point)
  await point.pipeline.context.redis.flushall()
  const thawedAt = performance.now()
  worker.thaw()

  await waitUntil(() => leadsReceived(point).size === LEADS, { timeoutMs: 25_000 })
  // Without the heartbeat an event's job is missed only 30 s after it was enqueued.
  expect(performance.now() - thawedAt).toBeLessThan(20_000)
  expect(worker.output()).toContain('redis lost its data')
  await drain(point.pipeline.context)
  expect(leadsReceived(point)).toEqual(new Set(leads))
  expect(await point.ledger()).toMatchObject({ events: LEADS, deliveries: { delivered: LEADS } })
})

test.concurrent('6: Redis comes back with an older snapshot; every job is rebuilt at once', async (context) => {
  const point = await setUpCrashPoint(context, { own: ['redis'] })
  const { redis, pipeline } = point
  const worker = await point.worker()
  const [, folder = ''] = (await pipeline.context.redis.config('GET', 'dir')) as string[]
  await waitForHeartbeat(point)
  // A copy of the state before the leads came in.
  await cp(`${folder}/appendonlydir`, `${folder}/older`, { recursive: true })
  await waitForHeartbeat(point, 6)
  worker.freeze()
  const leads = await enqueueLeads(point)
  await redis.crash()
  await rm(`${folder}/appendonlydir`, { recursive: true })
  await cp(`${folder}/older`, `${folder}/appendonlydir`, { recursive: true })
  await redis.start()
  const thawedAt = performance.now()
  worker.thaw()

  await waitUntil(() => leadsReceived(point).size === LEADS, { timeoutMs: 25_000 })
  expect(performance.now() - thawedAt).toBeLessThan(20_000)
  expect(worker.output()).toContain('redis lost its data')
  await drain(pipeline.context)
  expect(leadsReceived(point)).toEqual(new Set(leads))
})

test.concurrent('7: a worker dies in the middle of a plan; the plan is made completely later', async (context) => {
  const { pipeline, enqueueLead, crm, connect, worker, ledger } = await setUpCrashPoint(context)
  const [doomed, other] = await Promise.all([worker(), connect()])
  const held = await holdInserts(other, 'webhook_deliveries')
  await enqueueLead()
  await held.waitFor('leadwire-worker')
  await doomed.kill()
  await held.end()

  expect(await ledger()).toMatchObject({ events: 1, deliveries: {} })
  const { rows } = await sql<{ unplanned: number }>`
    select count(*)::int as unplanned from events where planned_at is null`.execute(pipeline.db)
  expect(rows).toEqual([{ unplanned: 1 }])
  await pipeline.startWorker()
  await crm.waitForCount(1, { timeoutMs: 45_000 })
  await drain(pipeline.context)
  expect(await ledger()).toMatchObject({ deliveries: { delivered: 1 }, logs: 1, receipts: 1 })
})

test.concurrent('8: a worker dies after it committed deliveries and before it sent a wake-up; another worker sends them', async (context) => {
  const point = await setUpCrashPoint(context)
  const { pipeline, enqueueLead, crm, worker, ledger } = point
  const doomed = await worker({ FAILPOINTS: 'after-plan=exit' })
  await enqueueLead()
  await doomed.ended()

  expect(await ledger()).toMatchObject({ deliveries: { pending: 1 }, receipts: 0 })
  // The dead worker's job does not run again, because its lock outlives the test.
  expect(await keepLocked(point, LEAD_EVENTS_QUEUE)).toBe(1)
  await pipeline.startWorker()
  await crm.waitForCount(1, { timeoutMs: 40_000 })
  await drain(pipeline.context)
  expect(await ledger()).toMatchObject({ deliveries: { delivered: 1 }, logs: 1, receipts: 1 })
})

const CONFIGS = 600

test.concurrent('8: Redis is full while deliveries are planned; they are sent at once, and a later lead when Redis has room', async (context) => {
  const point = await setUpCrashPoint(context, { own: ['redis'] })
  const { pipeline, crm, worker, ledger } = point
  await sql`
    insert into client_webhook_configs (client_user_id, webhook_name, endpoint_url, payload_template, signing_secret,
      trigger_on_lead_created)
    select client_user_id, webhook_name, endpoint_url, payload_template, signing_secret, true
    from client_webhook_configs, generate_series(2, ${CONFIGS}::int)
  `.execute(pipeline.db)
  const planner = await worker({ FAILPOINTS: 'after-plan=pause:6000*1' })
  const redis = pipeline.context.redis
  const server = await point.server()
  await point.enqueueLead()
  await waitUntil(() => planner.output().includes('failpoint after-plan'))
  const [, used = '0'] = /used_memory:(\d+)/.exec(await redis.info('memory')) ?? []
  await redis.config('SET', 'maxmemory', String(Number(used) - 1000))

  await waitUntil(() => planner.output().includes('redis took no wake-up'), { timeoutMs: 40_000 })
  await crm.waitForCount(CONFIGS, { timeoutMs: 60_000 })
  // A lead that arrives meanwhile is taken as usual.
  const before = performance.now()
  expect(await point.post(server)).toMatchObject({ status: 201 })
  expect(performance.now() - before).toBeLessThan(8000)

  await redis.config('SET', 'maxmemory', '0')
  const both = 2 * CONFIGS
  await waitUntil(async () => (await ledger()).deliveries['delivered'] === both, { timeoutMs: 90_000 })
  const received = crm.requests.map((request) => request.headers['leadwire-delivery'])
  expect(new Set(received).size).toBe(both)
  expect(planner.isRunning()).toBe(true)
  expect(await ledger()).toMatchObject({ leads: 2, events: 2, deliveries: { delivered: both } })
})

/**
 * Returns a worker that has sent the client's first lead. It claims the second lead while it plans it, and so
 * passes the failpoint again.
 */
async function planSecond(point: CrashPoint, act: 'exit' | 'error') {
  const worker = await point.worker({ FAILPOINTS: `after-claim=${act}*2` })
  await point.enqueueLead()
  await waitUntil(async () => (await point.ledger()).deliveries['delivered'] === 1)
  await point.enqueueLead()
  return worker
}

test.concurrent('a worker that loses the answer to a planning statement finds the delivery that it leased, and sends it once', async (context) => {
  const point = await setUpCrashPoint(context)
  const worker = await planSecond(point, 'error')
  await waitUntil(() => worker.output().includes('failpoint after-claim'))
  const lostAt = performance.now()
  await waitUntil(async () => (await point.ledger()).deliveries['delivered'] === 2)
  // Its lease would have lasted 15 s.
  expect(performance.now() - lostAt).toBeLessThan(12_000)
  await drain(point.pipeline.context)
  expect(await point.ledger()).toMatchObject({ logs: 2, receipts: 2, webhookIds: 2 })
})

test.concurrent('if a worker dies with a delivery that it leased while planning, the next worker sends it after the lease', async (context) => {
  const point = await setUpCrashPoint(context)
  const worker = await planSecond(point, 'exit')
  await watchDeath(point, worker)
  expect(await countLeased(point)).toBe(1)
  await point.worker()
  await expectEachDelivered(point, 2, { underWay: 0, withinMs: WITHIN.aLease })
})
