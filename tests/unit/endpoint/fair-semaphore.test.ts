import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createFairSemaphore } from '#core/endpoint/isolated/fair-semaphore.ts'

const LONG_MS = 60_000

test('admits one request at a time, and clients take turns', async () => {
  const line = createFairSemaphore(1)
  const order: string[] = []
  const enter = async (client: string) => {
    const leave = await line.enter(client, LONG_MS)
    order.push(client)
    await sleep(1)
    leave?.(0)
  }
  await Promise.all(['a', 'a', 'a', 'a', 'b', 'c', 'b'].map(enter))
  expect(order).toEqual(['a', 'b', 'c', 'a', 'b', 'a', 'a'])
})

test('serves first a client that was never served, even if it gave up and returned last', async () => {
  const line = createFairSemaphore(1)
  const before = await line.enter('b', LONG_MS)
  before?.(0)
  const held = await line.enter('a', LONG_MS)
  expect(await line.enter('c', 10)).toBeUndefined()
  const order: string[] = []
  const all = ['a', 'b', 'b', 'c'].map(async (client) => {
    const leave = await line.enter(client, LONG_MS)
    order.push(client)
    leave?.(0)
  })
  held?.(0)
  await Promise.all(all)
  expect(order).toEqual(['c', 'b', 'a', 'b'])
})

test('has a number of places, and each place rests for the given time', async () => {
  const line = createFairSemaphore(2)
  const [first, second] = [await line.enter('a', LONG_MS), await line.enter('b', LONG_MS)]
  expect(await line.enter('c', 10)).toBeUndefined()
  first?.(50)
  const leftAt = performance.now()
  const third = await line.enter('c', LONG_MS)
  expect(performance.now() - leftAt).toBeGreaterThan(45)
  second?.(0)
  third?.(0)
})
