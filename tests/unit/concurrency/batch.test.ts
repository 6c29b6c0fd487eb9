import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { createBatcher } from '#core/concurrency/batch.ts'

/** A flush that ends when the test says so. */
function heldFlush() {
  const flushes: { items: number[]; end: () => void; fail: (error: Error) => void }[] = []
  const flush = (items: number[]): Promise<string[]> => {
    const { promise, resolve, reject } = Promise.withResolvers<string[]>()
    flushes.push({ items, end: () => resolve(items.map((item) => `r${item}`)), fail: reject })
    return promise
  }
  return { flushes, flush }
}

it('sends simultaneous calls as one batch, and answers each with its own result', async () => {
  const { flushes, flush } = heldFlush()
  const batcher = createBatcher({ maxSize: 10, parallel: 1, flush })
  const results = [1, 2, 3].map((item) => batcher.add(item))
  await expect.poll(() => flushes.length).toBe(1)
  flushes[0]?.end()
  expect(await Promise.all(results)).toEqual(['r1', 'r2', 'r3'])
  expect(flushes.map(({ items }) => items)).toEqual([[1, 2, 3]])
})

it('gathers calls while it is busy, and sends them all as soon as it is free', async () => {
  const { flushes, flush } = heldFlush()
  const batcher = createBatcher({ maxSize: 10, parallel: 1, flush })
  const first = batcher.add(1)
  await expect.poll(() => flushes.length).toBe(1)
  const rest = [batcher.add(2)]
  await nextTurn()
  rest.push(batcher.add(3))
  await nextTurn()
  expect(flushes).toHaveLength(1)
  flushes[0]?.end()
  expect(await first).toBe('r1')
  await expect.poll(() => flushes.length).toBe(2)
  flushes[1]?.end()
  expect(await Promise.all(rest)).toEqual(['r2', 'r3'])
})

it('never exceeds its batch size or its parallel flushes, and keeps the order', async () => {
  const { flushes, flush } = heldFlush()
  const batcher = createBatcher({ maxSize: 2, parallel: 2, flush })
  const results = Promise.all([1, 2, 3, 4, 5].map((item) => batcher.add(item)))
  await expect.poll(() => flushes.length).toBe(2)
  for (let turn = 0; turn < 5; turn += 1) await nextTurn()
  expect(flushes.map(({ items }) => items)).toEqual([
    [1, 2],
    [3, 4],
  ])
  flushes[1]?.end()
  await expect.poll(() => flushes.length).toBe(3)
  expect(flushes[2]?.items).toEqual([5])
  flushes[0]?.end()
  flushes[2]?.end()
  expect(await results).toEqual(['r1', 'r2', 'r3', 'r4', 'r5'])
})

it('rejects only the calls of the failed flush, and continues', async () => {
  const { flushes, flush } = heldFlush()
  const batcher = createBatcher({ maxSize: 2, parallel: 1, flush })
  const results = Promise.allSettled([1, 2, 3, 4].map((item) => batcher.add(item)))
  await expect.poll(() => flushes.length).toBe(1)
  flushes[0]?.fail(new Error('database gone'))
  await expect.poll(() => flushes.length).toBe(2)
  flushes[1]?.end()
  expect((await results).map(({ status }) => status)).toEqual([
    'rejected',
    'rejected',
    'fulfilled',
    'fulfilled',
  ])
})

it('rejects when a flush throws or lacks a result, instead of answering undefined', async () => {
  const throwing = createBatcher<number, number>({
    maxSize: 5,
    parallel: 1,
    flush: () => {
      throw new Error('at once')
    },
  })
  await expect(throwing.add(1)).rejects.toThrow('at once')
  await expect(throwing.add(2)).rejects.toThrow('at once')
  await throwing.drain()
  const forgetful = createBatcher<number, number>({ maxSize: 5, parallel: 1, flush: async () => [1] })
  const both = await Promise.allSettled([forgetful.add(1), forgetful.add(2)])
  expect(both.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
})

it('drains when idle, after all waiting calls, and after a failure', async () => {
  const { flushes, flush } = heldFlush()
  const batcher = createBatcher({ maxSize: 1, parallel: 1, flush })
  await batcher.drain()
  const results = Promise.allSettled([batcher.add(1), batcher.add(2)])
  let drained = 0
  const drains = [batcher.drain(), batcher.drain()].map((drain) =>
    drain.then(() => {
      drained += 1
    }),
  )
  await expect.poll(() => flushes.length).toBe(1)
  flushes[0]?.end()
  await expect.poll(() => flushes.length).toBe(2)
  expect(drained).toBe(0)
  flushes[1]?.fail(new Error('broke'))
  await Promise.all(drains)
  expect((await results).map(({ status }) => status)).toEqual(['fulfilled', 'rejected'])
})

it.each([1, 2, 3, 4, 5])(
  'loses, repeats and swaps no call under random interleavings (seed %i)',
  async (seed) => {
    let state = seed
    const random = (): number => {
      state = (Math.imul(state, 1664525) + 1013904223) >>> 0
      return state / 2 ** 32
    }
    const turns = async (most: number): Promise<void> => {
      for (let left = Math.floor(random() * most); left > 0; left -= 1) await nextTurn()
    }
    const seen: number[] = []
    let running = 0
    let most = 0
    const batcher = createBatcher<number, number>({
      maxSize: 7,
      parallel: 3,
      flush: async (items) => {
        running += 1
        most = Math.max(most, running)
        seen.push(...items)
        await turns(4)
        running -= 1
        if (items.some((item) => item % 97 === 0)) throw new Error('poisoned')
        return items.map((item) => item * 2)
      },
    })
    const results: Promise<number | 'rejected'>[] = []
    for (let item = 1; item <= 2000; item += 1) {
      results.push(batcher.add(item).catch(() => 'rejected' as const))
      if (random() < 0.3) await turns(3)
    }
    await batcher.drain()
    const answers = await Promise.all(results)
    expect(seen).toEqual(Array.from({ length: 2000 }, (_, index) => index + 1))
    expect(most).toBeLessThanOrEqual(3)
    expect(answers.every((answer, index) => answer === 'rejected' || answer === (index + 1) * 2)).toBe(true)
    const rejected = answers.filter((answer) => answer === 'rejected').length
    expect(rejected).toBeGreaterThanOrEqual(20)
    expect(rejected).toBeLessThanOrEqual(20 * 7)
  },
)
