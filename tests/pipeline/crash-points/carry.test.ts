// Crashes between plan and claim: deliveries wait as rows, and their wake-ups are in Redis or in a process.
import { expect, test, vi } from 'vitest'
import { DELIVERIES_QUEUE, LEAD_EVENTS_QUEUE } from '#core/queue/queues.ts'
import {
  countLeased,
  enqueueTogether,
  expectEachDelivered,
  keepLocked,
  planQuietly,
  watchDeath,
  WITHIN,
} from '#tests/support/processes/carried.ts'
import { setUpCrashPoint } from '#tests/support/processes/crash-point.ts'

// Many processes run at once, and the machine may be slow.
vi.setConfig({ testTimeout: 240_000 })

/**
 * If at least this many deliveries are planned together, the worker wakes the others (DISPATCH.aloneMost).
 */
const DUE = 25

test.concurrent('24: a worker dies after it planned deliveries and before it sent a wake-up; a poll finds the deliveries', async (context) => {
  const point = await setUpCrashPoint(context)
  const doomed = await point.worker({ FAILPOINTS: 'before-wake-up=exit' })
  await enqueueTogether(point, DUE)
  const underWay = await watchDeath(point, doomed)
  expect(await point.ledger()).toMatchObject({ deliveries: { pending: DUE } })
  // The plan does not run again, and no second wake-up is sent.
  expect(await keepLocked(point, LEAD_EVENTS_QUEUE)).toBe(1)

  await point.pipeline.startWorker()
  await expectEachDelivered(point, DUE, { underWay, withinMs: WITHIN.aLook })
})

test.concurrent('25: a worker dies after it sent a wake-up and before its job ended; nothing is sent twice', async (context) => {
  const point = await setUpCrashPoint(context)
  const doomed = await point.worker({ FAILPOINTS: 'after-wake-up=exit' })
  await enqueueTogether(point, DUE)
  const underWay = await watchDeath(point, doomed)

  await point.pipeline.startWorker()
  await expectEachDelivered(point, DUE, { underWay, withinMs: WITHIN.aLock })
})

test.concurrent.for([
  ['26', 'before-notify', 'its dispatcher does not know a wake-up yet'],
  ['27', 'after-notify', 'its dispatcher knows a wake-up only in memory'],
] as const)('%s: a worker dies when (%s) %s; a poll finds the deliveries', async ([, name], context) => {
  const point = await setUpCrashPoint(context)
  const doomed = await point.worker({ FAILPOINTS: `${name}=exit` })
  await point.pipeline.context.deliveries.publish(await planQuietly(point, DUE))
  const underWay = await watchDeath(point, doomed)
  await keepLocked(point, DELIVERIES_QUEUE)

  await point.pipeline.startWorker()
  await expectEachDelivered(point, DUE, { underWay, withinMs: WITHIN.aLook })
})

test.concurrent('28: a worker dies with deliveries that its poll has found; the next poll finds them again', async (context) => {
  const point = await setUpCrashPoint(context)
  const doomed = await point.worker({ FAILPOINTS: 'after-poll=exit' })
  await planQuietly(point, 5)
  expect(await watchDeath(point, doomed)).toBe(0)
  expect(await countLeased(point)).toBe(0)

  await point.pipeline.startWorker()
  await expectEachDelivered(point, 5, { underWay: 0, withinMs: WITHIN.aLook })
})

test.concurrent('29: a worker dies after it allotted slots and before it claimed; no delivery waits for a lease', async (context) => {
  const point = await setUpCrashPoint(context)
  const doomed = await point.worker({ FAILPOINTS: 'before-claim=exit' })
  await enqueueTogether(point, 5)
  expect(await watchDeath(point, doomed)).toBe(0)
  expect(await countLeased(point)).toBe(0)
  await keepLocked(point, LEAD_EVENTS_QUEUE)

  await point.pipeline.startWorker()
  await expectEachDelivered(point, 5, { underWay: 0, withinMs: WITHIN.aLook })
})

test.concurrent('30: a worker dies after it claimed a batch; other deliveries are sent at once, the claimed ones once after their lease', async (context) => {
  // A lease of 40 s leaves the others enough time on a slow machine.
  const point = await setUpCrashPoint(context, { env: { WEBHOOK_TIMEOUT_MS: '30000' } })
  const { crm } = point
  const doomed = await point.worker({ FAILPOINTS: 'after-claim=exit' })
  await enqueueTogether(point, 10)
  expect(await watchDeath(point, doomed)).toBe(0)
  const claimed = await countLeased(point)
  expect(claimed).toBeGreaterThan(0)
  expect(claimed).toBeLessThan(10)
  await keepLocked(point, LEAD_EVENTS_QUEUE)

  await point.pipeline.startWorker()
  await crm.waitForCount(10 - claimed, { timeoutMs: WITHIN.aLook })
  expect(await countLeased(point)).toBeGreaterThanOrEqual(claimed)
  await expectEachDelivered(point, 10, { underWay: 0, withinMs: 25_000 + WITHIN.aLease })
})
