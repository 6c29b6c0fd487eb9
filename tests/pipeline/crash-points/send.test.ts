// Crashes between a delivery's wake-up and its end: claim, send, record, retry.
import { sql } from 'kysely'
import { expect, test, vi } from 'vitest'
import { LEAD_EVENTS_QUEUE } from '#core/queue/queues.ts'
import { waitUntil } from '../../support/condition.ts'
import { setUpCrashPoint, type CrashPoint } from '#tests/support/processes/crash-point.ts'
import { drain } from '#tests/support/given/pipeline.ts'

// Many processes run at once, and the machine may be slow.
vi.setConfig({ testTimeout: 240_000 })

const SHIFT_CLOCK = new URL('../../../scripts/chaos/preloads/shift-clock.ts', import.meta.url).href
/** Long enough for a dead worker's lease to end and for a poll. */
const AFTER_DEATH = { timeoutMs: 45_000 }

const attemptsOf = ({ crm }: CrashPoint): unknown[] =>
  crm.requests.map((request) => request.headers['leadwire-attempt'])

async function countPlannedRetries({ pipeline }: CrashPoint): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from webhook_deliveries where state = 'pending' and attempt = 1`.execute(
    pipeline.db,
  )
  return rows[0]?.count ?? 0
}

/** Checks that another worker takes over and that the receiver can recognise the lead by its webhook-id. */
async function expectOneMoreRequest(point: CrashPoint): Promise<void> {
  const { pipeline, crm, ledger } = point
  await pipeline.startWorker()
  await crm.waitForCount(2, AFTER_DEATH)
  await drain(pipeline.context)

  expect(attemptsOf(point)).toEqual(['1', '1'])
  expect(await ledger()).toMatchObject({
    deliveries: { delivered: 1 },
    logs: 1,
    receipts: 2,
    webhookIds: 1,
  })
}

test.concurrent('9: a worker dies before the answer arrives; one more request is sent, under the same webhook-id', async (context) => {
  const point = await setUpCrashPoint(context)
  const { crm, worker } = point
  crm.answerWith((_request, index) => (index === 0 ? 'hang' : 200))
  const doomed = await worker()
  await point.enqueueLead()
  await crm.waitForCount(1)
  await doomed.kill()
  await expectOneMoreRequest(point)
})

test.concurrent('10: a worker dies before it writes the answer; one more request is sent, under the same webhook-id', async (context) => {
  const point = await setUpCrashPoint(context)
  const doomed = await point.worker({ FAILPOINTS: 'after-send=exit' })
  await point.enqueueLead()
  await doomed.ended()
  await expectOneMoreRequest(point)
})

test.concurrent('11: a worker dies right after it wrote the answer; no further request is sent', async (context) => {
  const point = await setUpCrashPoint(context)
  const { pipeline, crm, worker, ledger } = point
  const doomed = await worker({ FAILPOINTS: 'after-record=exit' })
  await point.enqueueLead()
  await doomed.ended()
  await pipeline.startWorker()
  // A worker that finds this lead has polled for due deliveries.
  await point.enqueueLead()
  await crm.waitForCount(2, AFTER_DEATH)
  await drain(pipeline.context)

  expect(await ledger()).toMatchObject({
    deliveries: { delivered: 2 },
    logs: 2,
    receipts: 2,
    webhookIds: 2,
  })
})

test.concurrent('12: Redis ends an event’s job and its answer is lost; the deliveries of this event and of the next one are sent', async (context) => {
  const point = await setUpCrashPoint(context)
  const { pipeline, crm, worker, proxyTo, ledger } = point
  const proxy = await proxyTo('REDIS_URL')
  let cuts = 0
  proxy.onSent((connection, piece) => {
    if (cuts > 0 || !piece.includes(`${LEAD_EVENTS_QUEUE}:metrics:completed`)) return
    cuts += 1
    connection.cutAtReply()
  })
  const deaf = await worker(proxy.variables)
  await point.enqueueLead()
  await waitUntil(() => cuts === 1)
  await point.enqueueLead()

  await crm.waitForCount(2, AFTER_DEATH)
  await drain(pipeline.context)
  expect(deaf.isRunning()).toBe(true)
  expect(await ledger()).toMatchObject({
    deliveries: { delivered: 2 },
    logs: 2,
    receipts: 2,
    webhookIds: 2,
  })
})

test.concurrent('13: Redis is flushed while retries are planned; each retry is made, and none before its time', async (context) => {
  const point = await setUpCrashPoint(context, { own: ['redis'], env: { WEBHOOK_RETRY_SCHEDULE: '8' } })
  const { pipeline, crm, worker, ledger } = point
  const COUNT = 5
  crm.answerWith((request) => (request.headers['leadwire-attempt'] === '1' ? 500 : 200))
  await worker()
  for (let index = 0; index < COUNT; index += 1) await point.enqueueLead()
  await waitUntil(async () => (await countPlannedRetries(point)) === COUNT)
  const { rows } = await sql<{ event_id: string; due: Date }>`
    select event_id, next_attempt_at as due from webhook_deliveries`.execute(pipeline.db)
  await pipeline.context.redis.flushall()

  await crm.waitForCount(2 * COUNT, { timeoutMs: 40_000 })
  await drain(pipeline.context)
  const second = crm.requests.filter((request) => request.headers['leadwire-attempt'] === '2')
  for (const { event_id: event, due } of rows) {
    const retry = second.find((request) => request.headers['webhook-id'] === event)
    expect(retry?.receivedAt).toBeGreaterThanOrEqual(due.getTime() - 1100)
  }
  expect(await ledger()).toMatchObject({
    deliveries: { delivered: COUNT },
    logs: 2 * COUNT,
    receipts: 2 * COUNT,
    webhookIds: COUNT,
  })
})

test.concurrent('14: a worker sleeps past its lease; its late answer changes nothing', async (context) => {
  const point = await setUpCrashPoint(context)
  const { pipeline, crm, worker, ledger } = point
  const sleeping = Promise.withResolvers<void>()
  crm.answerWith((_request, index) => (index === 0 ? { status: 500, after: sleeping.promise } : 200))
  const sleeper = await worker()
  await point.enqueueLead()
  await crm.waitForCount(1)
  sleeper.freeze()
  sleeping.resolve()
  await pipeline.startWorker()
  await crm.waitForCount(2, AFTER_DEATH)
  await drain(pipeline.context)
  sleeper.thaw()

  await waitUntil(() => sleeper.output().includes('lease lost to another sender'), { timeoutMs: 20_000 })
  expect(attemptsOf(point)).toEqual(['1', '1'])
  expect(await ledger()).toMatchObject({
    deliveries: { delivered: 1 },
    logs: 2,
    receipts: 2,
    webhookIds: 1,
  })
  const rows = await pipeline.db.selectFrom('webhook_deliveries').select(['state', 'attempt']).execute()
  expect(rows).toEqual([{ state: 'delivered', attempt: 1 }])
})

test.concurrent.for([
  ['ahead', 3_600_000],
  ['behind', -3_600_000],
] as const)(
  '18: a worker whose clock is an hour %s makes retries in time, and so does the next worker',
  async ([, shiftMs], context) => {
    const point = await setUpCrashPoint(context, { env: { WEBHOOK_RETRY_SCHEDULE: '6,6' } })
    const { pipeline, crm, worker, ledger } = point
    crm.answerWith((request) => (request.headers['leadwire-attempt'] === '1' ? 500 : 200))
    const wrong = await worker({
      NODE_OPTIONS: `--import=${SHIFT_CLOCK}`,
      CHAOS_CLOCK_SHIFT_MS: String(shiftMs),
    })
    await point.enqueueLead()
    await crm.waitForCount(2, { timeoutMs: 40_000 })
    await point.enqueueLead()
    await crm.waitForCount(3)
    await waitUntil(async () => (await countPlannedRetries(point)) === 1)
    await wrong.kill()
    await pipeline.startWorker()
    await crm.waitForCount(4, { timeoutMs: 40_000 })
    await drain(pipeline.context)

    expect(attemptsOf(point)).toEqual(['1', '2', '1', '2'])
    for (const [first, second] of [crm.requests.slice(0, 2), crm.requests.slice(2)]) {
      expect((second?.receivedAt ?? 0) - (first?.receivedAt ?? 0)).toBeGreaterThan(1500)
    }
    for (const request of crm.requests) {
      // A receiver checks the signature's time (Standard Webhooks: five minutes).
      const signedAt = Number(request.headers['webhook-timestamp']) * 1000
      expect(Math.abs(signedAt - request.receivedAt)).toBeLessThan(30_000)
    }
    expect(await ledger()).toMatchObject({
      deliveries: { delivered: 2 },
      logs: 4,
      receipts: 4,
      webhookIds: 2,
    })
  },
)

test.concurrent.for([
  { how: 'ahead', shiftMs: 3_600_000, left: '30 minutes', signatures: 2 },
  { how: 'behind', shiftMs: -3_600_000, left: '-30 minutes', signatures: 1 },
])(
  'a worker whose clock is an hour $how also signs with the previous secret until that secret expires',
  async ({ shiftMs, left, signatures }, context) => {
    const point = await setUpCrashPoint(context)
    const { pipeline, crm, worker } = point
    await sql`update client_webhook_configs set previous_signing_secret = signing_secret,
      previous_secret_expires_at = now() + ${left}::interval`.execute(pipeline.db)
    await worker({ NODE_OPTIONS: `--import=${SHIFT_CLOCK}`, CHAOS_CLOCK_SHIFT_MS: String(shiftMs) })
    await point.enqueueLead()
    await crm.waitForCount(1)

    const signed = String(crm.requests[0]?.headers['webhook-signature'])
    expect(signed.split(' ')).toHaveLength(signatures)
  },
)
