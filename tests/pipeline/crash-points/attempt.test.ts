// Crashes between the claim of several deliveries and the record of their attempts, and with planned retries.
import { sql } from 'kysely'
import { expect, test, vi } from 'vitest'
import { waitUntil } from '#tests/support/condition.ts'
import { drain } from '#tests/support/given/pipeline.ts'
import {
  countLeased,
  enqueueTogether,
  expectEachDelivered,
  watchDeath,
  WITHIN,
} from '#tests/support/processes/carried.ts'
import { holdInserts, setUpCrashPoint, type CrashPoint } from '#tests/support/processes/crash-point.ts'

// Many processes run at once, and the machine may be slow.
vi.setConfig({ testTimeout: 240_000 })

const TOGETHER = 6

/** An endpoint that has answered gets more than two requests at a time. */
async function proveEndpoint(point: CrashPoint): Promise<void> {
  await point.enqueueLead()
  await waitUntil(async () => (await point.ledger()).deliveries['delivered'] === 1, {
    what: 'The first delivery',
  })
}

test.concurrent('31: a worker dies after it claimed and prepared a delivery; another sends it once, after the lease', async (context) => {
  const point = await setUpCrashPoint(context)
  const doomed = await point.worker({ FAILPOINTS: 'before-send=exit' })
  await point.enqueueLead()
  expect(await watchDeath(point, doomed)).toBe(0)
  expect(await countLeased(point)).toBe(1)

  await point.pipeline.startWorker()
  await expectEachDelivered(point, 1, { underWay: 0, withinMs: WITHIN.aLease })
})

test.concurrent('32: a worker dies before it writes the answers of many requests; each request is made once more, under the same webhook-id', async (context) => {
  const point = await setUpCrashPoint(context)
  const doomed = await point.worker({ FAILPOINTS: 'before-record=exit*2' })
  await proveEndpoint(point)
  const answers = Promise.withResolvers<void>()
  point.crm.answerWith({ status: 200, after: answers.promise })
  await enqueueTogether(point, TOGETHER)
  await point.crm.waitForCount(1 + TOGETHER)
  answers.resolve()
  const underWay = await watchDeath(point, doomed)
  expect(underWay).toBe(TOGETHER)

  await point.pipeline.startWorker()
  await expectEachDelivered(point, 1 + TOGETHER, { underWay, withinMs: WITHIN.aLease })
  expect(await point.ledger()).toMatchObject({ receipts: 1 + 2 * TOGETHER })
})

test.concurrent('33: a worker dies while it writes attempts; none is written in part, and each request is made once more', async (context) => {
  const point = await setUpCrashPoint(context)
  const { crm, connect, ledger } = point
  const doomed = await point.worker()
  await proveEndpoint(point)
  const answers = Promise.withResolvers<void>()
  crm.answerWith({ status: 200, after: answers.promise })
  await enqueueTogether(point, TOGETHER)
  await crm.waitForCount(1 + TOGETHER)
  const held = await holdInserts(await connect(), 'webhook_delivery_logs')
  answers.resolve()
  await held.waitFor('leadwire-worker')
  await doomed.kill()
  await held.end()
  expect(await ledger()).toMatchObject({ deliveries: { delivered: 1, pending: TOGETHER }, logs: 1 })

  await point.pipeline.startWorker()
  await expectEachDelivered(point, 1 + TOGETHER, { underWay: TOGETHER, withinMs: WITHIN.aLease })
})

test.concurrent('34: a worker dies before it fails a delivery that cannot be prepared; another worker makes it a dead letter', async (context) => {
  const point = await setUpCrashPoint(context)
  const { pipeline, ledger } = point
  await sql`update client_webhook_configs set signing_secret = 'no secret of ours'`.execute(pipeline.db)
  const doomed = await point.worker({ FAILPOINTS: 'before-own-failure=exit' })
  await point.enqueueLead()
  expect(await watchDeath(point, doomed)).toBe(0)
  expect(await ledger()).toMatchObject({ deliveries: { pending: 1 }, logs: 0 })

  await pipeline.startWorker()
  await drain(pipeline.context, WITHIN.aLease)
  expect(await ledger()).toMatchObject({ deliveries: { failed: 1 }, logs: 1, receipts: 0 })
})

test.concurrent.for([
  ['35', 'has no timer for', 'before-retry'],
  ['36', 'has a timer for', undefined],
] as const)(
  '%s: a worker dies after it committed a retry that it %s; another makes the retry, and not before its time',
  async ([, , name], context) => {
    const point = await setUpCrashPoint(context, { env: { WEBHOOK_RETRY_SCHEDULE: '6,6' } })
    const { pipeline, crm, ledger } = point
    crm.answerWith((request) => (request.headers['leadwire-attempt'] === '1' ? 500 : 200))
    const doomed = await point.worker(name === undefined ? {} : { FAILPOINTS: `${name}=exit` })
    await point.enqueueLead()
    const due = await waitUntil(
      async () => {
        const { rows } = await sql<{ due: Date }>`
          select next_attempt_at as due from webhook_deliveries where attempt = 1`.execute(pipeline.db)
        return rows[0]?.due
      },
      { what: 'A retry' },
    )
    if (name === undefined) await doomed.kill()
    expect(await watchDeath(point, doomed)).toBe(0)

    await pipeline.startWorker()
    await drain(pipeline.context, WITHIN.aLook)
    expect(crm.requests.map(({ headers }) => headers['leadwire-attempt'])).toEqual(['1', '2'])
    // A claim may take a delivery a second before it is due.
    expect(crm.requests[1]?.receivedAt).toBeGreaterThanOrEqual(due.getTime() - 1100)
    expect(await ledger()).toMatchObject({ deliveries: { delivered: 1 }, logs: 2, webhookIds: 1 })
  },
)
