import { randomUUID } from 'node:crypto'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import type { ClaimedDelivery } from '#core/data/webhooks/deliveries/claim-deliveries.ts'
import { createFanOut } from '#core/fairness/fan-out.ts'
import { LOW_PRIORITY, DISPATCH } from '#core/fairness/limits.ts'
import { startPipeline, type TestPipeline } from '#tests/support/given/pipeline.ts'
import { createLowPriorityLimiter } from '#worker/dispatch/limit-low-priority.ts'
import { createHeavyPayloads } from '#worker/dispatch/heavy-payloads.ts'
import { openDispatcher } from '#worker/dispatch/open-dispatcher.ts'
import type { Reservation } from '#worker/dispatch/reserve-slots.ts'
import { createSlotPool } from '#worker/dispatch/slot-pool.ts'
import type { SendClaimed, Sent } from '#worker/dispatch/track-in-flight.ts'
import { createSpeedClasses } from '#worker/endpoint/speed-classes.ts'

const SLOTS = 4
/** most open deliveries, including answered ones that are not recorded yet */
const MOST_OPEN = Math.ceil(SLOTS * DISPATCH.mostOpen)

let pipeline: TestPipeline

beforeAll(async () => {
  pipeline = await startPipeline({ WEBHOOK_CONCURRENCY: String(SLOTS) }, { worker: false })
})
afterAll(() => pipeline.close())

/** An outcome of deliveries that arrives when `end` is called. */
function givenOutcome() {
  const { promise, resolve } = Promise.withResolvers<Sent>()
  const end = () => {
    resolve({ againMs: undefined, exchangeMs: undefined })
  }
  return { promise, end }
}

/** Dispatch rounds of a worker whose endpoints are all known to be fast. */
function givenRounds(send: SendClaimed) {
  const now = () => performance.now()
  const slotPool = createSlotPool({ slots: SLOTS, limit: SLOTS, now })
  const lowPriority = createLowPriorityLimiter({
    most: LOW_PRIORITY.mostPerSecond,
    start: LOW_PRIORITY.startPerSecond,
    least: LOW_PRIORITY.leastPerSecond,
    now,
  })
  const dispatcher = openDispatcher(pipeline.context, {
    slotPool,
    lowPriority,
    fanOut: createFanOut(now),
    heavy: createHeavyPayloads(slotPool, now),
    speedClasses: createSpeedClasses(pipeline.context),
    send,
  })
  onTestFinished(() => dispatcher.stop())
  const reserve = (count: number): Reservation => {
    const coming = Array.from({ length: count }, () => {
      const endpoint = randomUUID()
      slotPool.recall(endpoint, 'proved')
      return { client: randomUUID(), endpoint, count: 1 }
    })
    const reservation = dispatcher.reserve(coming)
    onTestFinished(() => {
      reservation.begin([])
    })
    return reservation
  }
  return { dispatcher, reserve }
}

const countSlots = ({ slots }: Reservation): number =>
  slots.reduce((sum, { lease_tokens: tokens }) => sum + tokens.length, 0)

/** The deliveries that a statement claims with all slots of a reservation. */
const claimAll = ({ slots }: Reservation): ClaimedDelivery[] =>
  slots.map(({ webhook_config_id }) => {
    return { delivery_id: randomUUID(), webhook_config_id } as ClaimedDelivery
  })

test('no slot is reserved while an administrator has paused sending', () => {
  const { dispatcher, reserve } = givenRounds(() => Promise.reject(new Error('nothing is sent')))
  dispatcher.pause(true)
  expect(countSlots(reserve(2))).toBe(0)
  dispatcher.pause(false)
  expect(countSlots(reserve(2))).toBe(2)
})

test('no slot is reserved once the worker stops', async () => {
  const { dispatcher, reserve } = givenRounds(() => Promise.reject(new Error('nothing is sent')))
  await dispatcher.stop()
  expect(countSlots(reserve(2))).toBe(0)
})

test('a slot for which nothing was claimed is free again', () => {
  const { reserve } = givenRounds(() => Promise.reject(new Error('nothing is sent')))
  for (let time = 0; time < 3; time += 1) {
    const reservation = reserve(SLOTS)
    expect(countSlots(reservation)).toBe(SLOTS)
    reservation.begin([])
  }
})

test('an answered delivery frees its slot, but counts as open until it is recorded', async () => {
  const recorded = givenOutcome()
  const { reserve } = givenRounds((_delivery, slot) => {
    slot.leave()
    return recorded.promise
  })
  // Runs before the rounds stop, because they wait for this outcome.
  onTestFinished(recorded.end)
  const first = reserve(SLOTS)
  first.begin(claimAll(first))
  const second = reserve(SLOTS)
  expect(countSlots(second)).toBe(MOST_OPEN - SLOTS)
  second.begin(claimAll(second))
  expect(countSlots(reserve(1))).toBe(0)
  recorded.end()
  await nextTurn()
  expect(countSlots(reserve(1))).toBe(1)
})

test('a stop waits for plans with reserved slots, and then for the deliveries that they claimed', async () => {
  const sent = givenOutcome()
  const { dispatcher, reserve } = givenRounds(() => sent.promise)
  onTestFinished(sent.end)
  const reservation = reserve(1)
  let hasEnded = false
  const stopped = dispatcher.stop().then(() => (hasEnded = true))
  await nextTurn()
  expect(hasEnded).toBe(false)
  reservation.begin(claimAll(reservation))
  await nextTurn()
  expect(hasEnded).toBe(false)
  sent.end()
  await stopped
})
