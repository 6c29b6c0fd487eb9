import { expect, it } from 'vitest'
import { createSlotPool, type SlotPool } from '#worker/dispatch/slot-pool.ts'
import { waitUntil } from '#tests/support/condition.ts'
import { waitForSilentEndpoints } from '#worker/dispatch/wait-for-silent-endpoints.ts'

const NEVER_MS = 60_000
const leave = async (): Promise<void> => undefined

/** Two endpoints: `proved` has answered, and `end` is the answer of `silent`. */
function poolWithSilent(workers: number): { slotPool: SlotPool; end: () => void } {
  const slotPool = createSlotPool({ slots: 100, limit: 10, now: () => performance.now() })
  slotPool.setWorkerCount(workers)
  slotPool.recall('proved', 'proved')
  const slot = slotPool.enter('silent', 'hostile')
  const answer = slot?.begin()
  return {
    slotPool,
    end: () => {
      answer?.('none')
      slot?.leave()
    },
  }
}

/** True if only proved endpoints get slots. */
function isKept(slotPool: SlotPool): boolean {
  const slot = slotPool.enter('new', 'somebody')
  slot?.leave()
  return slot === undefined
}

it('waits until the silent endpoint has answered, and meanwhile gives slots only to proved endpoints', async () => {
  const { slotPool, end } = poolWithSilent(1)
  let isOver = false
  const lasting = waitForSilentEndpoints(slotPool, NEVER_MS, leave).then(() => {
    isOver = true
  })
  await waitUntil(() => isKept(slotPool), { what: 'new endpoints being left alone' })
  const slot = slotPool.enter('proved', 'somebody')
  expect(slot).toBeDefined()
  slot?.leave()
  expect(isOver).toBe(false)
  end()
  await lasting
})

it('waits no longer than its limit, and not at all with a limit of 0 or beside other workers', async () => {
  for (const [workers, mostMs] of [
    [1, 50],
    [1, 0],
    [2, NEVER_MS],
  ] as const) {
    const { slotPool } = poolWithSilent(workers)
    await waitForSilentEndpoints(slotPool, mostMs, leave)
    expect(isKept(slotPool)).toBe(workers === 1 && mostMs > 0)
  }
})

it('does not wait when no endpoint is silent', async () => {
  const { slotPool, end } = poolWithSilent(1)
  end()
  slotPool.enter('proved', 'somebody')
  await waitForSilentEndpoints(slotPool, NEVER_MS, leave)
})

it('waits when the other workers stop at the same time', async () => {
  const { slotPool, end } = poolWithSilent(3)
  let asked = 0
  const lasting = waitForSilentEndpoints(slotPool, NEVER_MS, async () => {
    asked += 1
    if (asked === 2) slotPool.setWorkerCount(1)
  })
  await waitUntil(() => isKept(slotPool), { what: 'it going on alone' })
  end()
  await lasting
})

it('serves an endpoint while it waits, once another worker reports that endpoint as proved', () => {
  const slotPool = createSlotPool({ slots: 10, limit: 5, now: () => 0 })
  slotPool.recall('crm', 'new')
  expect(slotPool.isKnown('crm')).toBe(true)
  slotPool.keepToProved()
  expect(slotPool.enter('crm', 'client')).toBeUndefined()
  expect(slotPool.isKnown('crm')).toBe(false)
  slotPool.recall('crm', 'proved')
  expect(slotPool.isKnown('crm')).toBe(true)
  expect(slotPool.enter('crm', 'client')).toBeDefined()
})
