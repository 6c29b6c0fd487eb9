import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { createBatcher, type GatheringPace } from '#core/concurrency/batch.ts'
import { createLoadWatch } from '#core/concurrency/watch-load.ts'

/** Longer than any test. */
const NEVER_MS = 1e8
const ALWAYS_MS = 1e9

function startBatcher(pace: GatheringPace) {
  const flushes: number[][] = []
  const batcher = createBatcher<number, number>({
    maxSize: 10,
    parallel: 2,
    pace,
    flush: async (items) => {
      flushes.push(items)
      return await Promise.resolve(items)
    },
  })
  return { flushes, batcher }
}

it('sends calls at once under light load', async () => {
  const busy = { items: 4, withinMs: ALWAYS_MS }
  const { flushes, batcher } = startBatcher({ apartMs: NEVER_MS, enough: 10, busy })

  for (const item of [1, 2, 3]) expect(await batcher.add(item)).toBe(item)
  expect(flushes).toEqual([[1], [2], [3]])
})

it('under load, sends whatever has gathered once the last flush began long enough ago', async () => {
  const busy = { items: 1, withinMs: ALWAYS_MS }
  const { flushes, batcher } = startBatcher({ apartMs: 50, enough: 10, busy })
  await batcher.add(1)

  expect(await Promise.all([2, 3].map((item) => batcher.add(item)))).toEqual([2, 3])
  expect(flushes).toEqual([[1], [2, 3]])
})

it('under load, sends as soon as enough calls have gathered', async () => {
  const busy = { items: 1, withinMs: ALWAYS_MS }
  const { flushes, batcher } = startBatcher({ apartMs: NEVER_MS, enough: 3, busy })
  await batcher.add(1)
  const rest = [2, 3].map((item) => batcher.add(item))
  for (let turn = 0; turn < 10; turn += 1) await nextTurn()
  expect(flushes).toEqual([[1]])
  rest.push(batcher.add(4))

  expect(await Promise.all(rest)).toEqual([2, 3, 4])
  expect(flushes).toEqual([[1], [2, 3, 4]])
})

it('measures load by the number of calls in a period', () => {
  let now = 1000
  const load = createLoadWatch({ items: 3, withinMs: 100 }, () => now)
  const seen = [0, 60, 40, 1, 99].map((passed) => {
    now += passed
    load.note()
    return load.isBusy()
  })
  // Three within 100 ms, then 41, then 100; and 140 ms later, none.
  expect(seen).toEqual([false, false, true, true, true])
  now += 2
  expect(load.isBusy()).toBe(false)
})
