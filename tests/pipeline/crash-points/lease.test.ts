// A sender that continues after its lease has ended.
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test, vi } from 'vitest'
import { waitUntil } from '../../support/condition.ts'
import { setUpCrashPoint } from '#tests/support/processes/crash-point.ts'
import { drain } from '#tests/support/given/pipeline.ts'

// Many processes run at once, and the machine may be slow.
vi.setConfig({ testTimeout: 240_000 })
const LONG = { timeoutMs: 60_000 }
const ONE_SECOND = { env: { WEBHOOK_TIMEOUT_MS: '1000' } }
/** Milliseconds; longer than a lease with requests of at most one second. */
const ASLEEP_MS = 16_000

test.concurrent.for([
  ['with the answer to its claim unread', 'after-claim'],
  ['with a request prepared', 'before-send'],
] as const)(
  'a worker that sleeps past its lease %s does not send a lead that another worker has sent',
  async ([, place], context) => {
    const point = await setUpCrashPoint(context, ONE_SECOND)
    const { pipeline, crm, worker, ledger } = point
    const sleeper = await worker({ FAILPOINTS: `${place}=pause:${ASLEEP_MS}*1` })
    await point.enqueueLead()
    await waitUntil(() => sleeper.output().includes(`failpoint ${place}`), LONG)
    await pipeline.startWorker()
    await crm.waitForCount(1, LONG)
    await drain(pipeline.context)

    await waitUntil(() => sleeper.output().includes('lease'), { ...LONG, what: 'The sleeper being awake' })
    expect(await ledger()).toMatchObject({ deliveries: { delivered: 1 }, logs: 1, receipts: 1 })
  },
)

test.concurrent('an answer that waits for PostgreSQL past its lease is written, and its request is not repeated', async (context) => {
  const point = await setUpCrashPoint(context, { own: ['postgres'], ...ONE_SECOND })
  const { crm, postgres, worker, ledger } = point
  const LEADS = 20
  const holder = await worker({ FAILPOINTS: 'before-record=pause:3000*2' })
  await point.enqueueLead()
  await waitUntil(async () => (await ledger()).deliveries['delivered'] === 1, LONG)
  for (let index = 0; index < LEADS; index += 1) await point.enqueueLead()
  await crm.waitForCount(1 + LEADS, LONG)
  await postgres.crash()
  await waitUntil(() => holder.output().includes('attempt not recorded yet'), LONG)
  await sleep(ASLEEP_MS)
  await postgres.start()

  const all = 1 + LEADS
  await waitUntil(async () => (await ledger()).deliveries['delivered'] === all, LONG)
  // If a retry were due, a worker would have found it by now.
  await point.enqueueLead()
  await waitUntil(async () => (await ledger()).deliveries['delivered'] === all + 1, LONG)
  expect(await ledger()).toMatchObject({ logs: all + 1, receipts: all + 1, webhookIds: all + 1 })
})
