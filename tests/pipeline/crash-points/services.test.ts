// PostgreSQL or Redis dies or freezes under load.
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { expect, test, vi } from 'vitest'
import { LEAD_EVENTS_QUEUE } from '#core/queue/queues.ts'
import { waitUntil } from '../../support/condition.ts'
import { setUpCrashPoint, type CrashPoint } from '#tests/support/processes/crash-point.ts'
import { drain } from '#tests/support/given/pipeline.ts'
import type { LabServer } from '#scripts/lab/start-product.ts'

// Many processes run at once, and the machine may be slow.
vi.setConfig({ testTimeout: 240_000 })
const LONG = { timeoutMs: 60_000 }

/** Posts a lead until it is accepted, as sources do. */
async function postUntilTaken(point: CrashPoint, server: LabServer, key: string): Promise<void> {
  await waitUntil(
    async () => {
      const answer = await point.post(server, key)
      return answer !== undefined && answer.status < 300
    },
    { timeoutMs: 90_000, intervalMs: 200, what: `Lead ${key} being taken` },
  )
}

test.concurrent('15: PostgreSQL dies and comes back twice; nothing is lost, and every request has its log row', async (context) => {
  const point = await setUpCrashPoint(context, { own: ['postgres'] })
  const { pipeline, crm, postgres, ledger } = point
  crm.answerWith({ status: 200, delayMs: 300 })
  const [server] = await Promise.all([point.server(), point.worker()])
  const LEADS = 30
  const posting = Array.from({ length: LEADS }, async (_, index) => {
    await sleep(index * 150)
    await postUntilTaken(point, server, `lead-${index}`)
  })
  for (let outage = 0; outage < 2; outage += 1) {
    await crm.waitForCount(3 + outage * 10, LONG)
    await postgres.crash()
    await postgres.start()
  }
  await Promise.all(posting)
  await waitUntil(async () => (await ledger()).deliveries['delivered'] === LEADS, LONG)
  await drain(pipeline.context)

  // A sender whose lease has ended may write its log row after the delivery's end.
  const end = await waitUntil(async () => {
    const now = await ledger()
    return now.logs === now.receipts && now
  })
  expect(end).toMatchObject({
    leads: LEADS,
    events: LEADS,
    deliveries: { delivered: LEADS },
    webhookIds: LEADS,
  })
  expect(end.logs).toBe(end.receipts)
})

async function waitForMarks({ pipeline: { db } }: CrashPoint): Promise<number> {
  let before = -1
  return await waitUntil(
    async () => {
      const { rows } = await sql<{ marked: number }>`
        select count(*)::int as marked from events where enqueued_at is not null`.execute(db)
      const marked = rows[0]?.marked ?? 0
      const isSettled = marked === before && marked > 0
      before = marked
      return isSettled && marked
    },
    { intervalMs: 1000 },
  )
}

test.concurrent('16: Redis is killed and keeps every job that it has accepted', async (context) => {
  const point = await setUpCrashPoint(context, { own: ['redis'] })
  const { pipeline, redis, queue, ledger } = point
  const JOBS = 100
  for (let job = 0; job < JOBS; job += 1) await point.enqueueLead()
  // Marked events are those that Redis has confirmed; on a slow machine the rest waits in the outbox.
  const marked = await waitForMarks(point)
  expect(marked).toBeGreaterThan(0)
  await redis.crash()
  await redis.start()
  expect(await queue(LEAD_EVENTS_QUEUE).getJobCountByTypes('wait', 'prioritized')).toBeGreaterThanOrEqual(
    marked,
  )
  await waitUntil(() => pipeline.context.redis.status === 'ready')
  await pipeline.startWorker()
  await drain(pipeline.context, 60_000)

  expect(await ledger()).toMatchObject({ deliveries: { delivered: JOBS }, webhookIds: JOBS })
})

test.concurrent.for(['crash', 'freeze'] as const)(
  '17: Redis is away (%s); leads are accepted within two seconds, and delivered when Redis is back',
  async (how, context) => {
    const point = await setUpCrashPoint(context, { own: ['redis'] })
    const { pipeline, redis, crm, ledger } = point
    const [server, worker] = await Promise.all([point.server(), point.worker()])
    const LEADS = 40
    await redis[how]()
    const times: number[] = []
    for (let index = 0; index < LEADS; index += 1) {
      const before = performance.now()
      expect(await point.post(server)).toMatchObject({ status: 201 })
      times.push(performance.now() - before)
      await sleep(100)
    }
    expect(Math.max(...times)).toBeLessThan(2000)
    expect(await ledger()).toMatchObject({ leads: LEADS, events: LEADS, receipts: 0 })
    await redis[how === 'crash' ? 'start' : 'thaw']()

    await crm.waitForCount(LEADS, LONG)
    await drain(pipeline.context)
    expect(worker.isRunning()).toBe(true)
    expect(await ledger()).toMatchObject({ deliveries: { delivered: LEADS }, receipts: LEADS })
  },
)

test.concurrent('an answer keeps its slot until PostgreSQL takes it, so no more requests are made than there are slots', async (context) => {
  // With its margin the lease outlives the outage even on a slow machine, so nobody else may send meanwhile.
  const env = { WEBHOOK_CONCURRENCY: '6', WEBHOOK_TIMEOUT_MS: '60000' }
  const point = await setUpCrashPoint(context, { own: ['postgres'], env })
  const { crm, postgres, ledger } = point
  // The slots, of six, that a single client gets after its endpoint has answered.
  const SLOTS = 4
  const LEADS = 20
  const worker = await point.worker()
  await point.enqueueLead()
  await waitUntil(async () => (await ledger()).deliveries['delivered'] === 1, LONG)
  const answers = Promise.withResolvers<void>()
  crm.answerWith({ status: 200, after: answers.promise })
  for (let index = 0; index < LEADS; index += 1) await point.enqueueLead()
  const hasAll = async () => (await ledger()).deliveries['pending'] === LEADS
  await waitUntil(hasAll, { ...LONG, what: 'All being planned' })
  await crm.waitForCount(1 + SLOTS, LONG)
  await postgres.crash()
  answers.resolve()
  const countKept = () => worker.output().split('attempt not recorded yet').length - 1
  await waitUntil(() => countKept() === SLOTS, { ...LONG, what: 'Every answer being kept' })
  // Each of them is retried a few times meanwhile.
  await sleep(2000)
  expect(crm.requests).toHaveLength(1 + SLOTS)
  await postgres.start()

  const all = 1 + LEADS
  await waitUntil(async () => (await ledger()).deliveries['delivered'] === all, LONG)
  expect(await ledger()).toMatchObject({ logs: all, receipts: all, webhookIds: all })
})

test.concurrent('an answer whose content PostgreSQL refuses is logged without that content; the other answers are logged completely', async (context) => {
  const point = await setUpCrashPoint(context)
  const { pipeline, crm, ledger } = point
  await sql`
    create function refuse_body() returns trigger language plpgsql as
      $$ begin if new.response_body = 'poison' then raise exception using errcode = '22P05'; end if; return new; end $$
  `.execute(pipeline.db)
  await sql`create trigger refuse_body before insert on webhook_delivery_log_bodies for each row
    execute function refuse_body()`.execute(pipeline.db)
  crm.answerWith((_request, index) => ({
    status: 200,
    body: index === 1 ? 'poison' : 'fine',
    delayMs: 300,
  }))
  for (let lead = 0; lead < 3; lead += 1) await point.enqueueLead()
  await pipeline.startWorker()
  await drain(pipeline.context)

  expect(await ledger()).toMatchObject({ deliveries: { delivered: 3 }, logs: 3, receipts: 3 })
  const rows = await pipeline.db.selectFrom('webhook_delivery_log_bodies').select('response_body').execute()
  expect(rows.filter(({ response_body: body }) => body === 'fine')).toHaveLength(2)
  expect(rows.filter(({ response_body: body }) => body === null)).toHaveLength(1)
})

test.concurrent('a worker that gets SIGTERM while Redis is away ends within 25 seconds', async (context) => {
  const point = await setUpCrashPoint(context, { own: ['redis'] })
  const [idle, busy] = await Promise.all([point.worker(), point.worker()])
  point.crm.answerWith({ status: 200, delayMs: 1500 })
  await point.enqueueLead()
  await point.crm.waitForCount(1)
  await point.redis.crash()
  const before = performance.now()
  await Promise.all([idle.stop(), busy.stop()])

  expect(performance.now() - before).toBeLessThan(25_000)
  // The request in flight was finished and recorded.
  expect(await point.ledger()).toMatchObject({ deliveries: { delivered: 1 }, logs: 1, receipts: 1 })
})

test.concurrent('a worker refuses a Redis that may evict keys, and says why', async (context) => {
  const point = await setUpCrashPoint(context, { own: ['redis'] })
  await point.pipeline.context.redis.config('SET', 'maxmemory-policy', 'allkeys-lru')
  const refused = await point.worker().then(
    () => '',
    (error: unknown) => String(error),
  )

  expect(refused).toContain('maxmemory-policy allkeys-lru')
  const server = await point.server()
  await waitUntil(() => server.output().includes('maxmemory-policy allkeys-lru'))
  expect(await point.post(server)).toMatchObject({ status: 201 })
})
