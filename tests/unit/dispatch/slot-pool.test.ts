import { expect, it } from 'vitest'
import type { Strain } from '#worker/dispatch/pool-endpoint.ts'
import { createSlotPool, type Slot } from '#worker/dispatch/slot-pool.ts'

function poolOf(slots: number, limit: number) {
  let time = 0
  const learned: string[] = []
  const slotPool = createSlotPool({
    slots,
    limit,
    now: () => time,
    onLearned: (endpoint, standing) => learned.push(`${endpoint} ${standing}`),
  })
  return {
    learned,
    pass: (ms: number) => {
      time += ms
    },
    recall: slotPool.recall,
    setWorkerCount: slotPool.setWorkerCount,
    enter: (endpoint: string, client = endpoint) => slotPool.enter(endpoint, client),
    count: () => slotPool.count(),
    /** Fills as many slots as are granted of `asked`; the exchanges last until `leaveAll`. */
    fill: (endpoint: string, asked: number, client = endpoint): Inside[] =>
      Array.from({ length: asked }, () => slotPool.enter(endpoint, client))
        .filter((slot) => slot !== undefined)
        .map((slot) => {
          const { promise, resolve } = Promise.withResolvers<void>()
          return {
            slot,
            exchanged: slot.exchange(
              () => promise,
              () => 'none',
            ),
            end: resolve,
          }
        }),
    /** Runs one exchange of `ms`, which sets the endpoint's speed class. */
    prove: async (endpoint: string, ms: number, strain: Strain = 'none', client = endpoint) => {
      const entry = slotPool.enter(endpoint, client)
      if (entry === undefined) throw new Error('no slot to prove an endpoint in')
      await entry.exchange(
        async () => {
          time += ms
          await Promise.resolve()
        },
        () => strain,
      )
      entry.leave()
    },
  }
}

interface Inside {
  slot: Slot
  exchanged: Promise<void>
  end: () => void
}

async function leaveAll(inside: readonly Inside[]): Promise<void> {
  for (const { slot, exchanged, end } of inside) {
    end()
    await exchanged
    slot.leave()
    slot.leave()
  }
}

const names = (prefix: string, count: number): string[] =>
  Array.from({ length: count }, (_none, index) => `${prefix}${index}`)

it('gives a quick endpoint its full limit, and leaves many slots to another client’s endpoint', async () => {
  const slotPool = poolOf(100, 50)
  await slotPool.prove('a', 20)
  await slotPool.prove('b', 20)
  expect(slotPool.fill('a', 80)).toHaveLength(50)
  expect(slotPool.fill('b', 80)).toHaveLength(20)
})

it('gives a client that is alone most slots, but never the last ones', async () => {
  const slotPool = poolOf(100, 100)
  await slotPool.prove('a', 20)
  expect(slotPool.fill('a', 200)).toHaveLength(80)
})

it('keeps a slot for a client that holds none, however much the others take', async () => {
  const slotPool = poolOf(100, 100)
  for (const client of ['modest', ...names('greedy', 20)]) await slotPool.prove(client, 20)
  for (const client of names('greedy', 20)) slotPool.fill(client, 100)
  expect(slotPool.fill('modest', 5)).toHaveLength(1)
})

it('gives all new endpoints of one client five slots together, and two each', () => {
  const slotPool = poolOf(100, 50)
  expect(slotPool.fill('new', 30)).toHaveLength(2)
  const others = names('silent', 300).flatMap((endpoint) => slotPool.fill(endpoint, 12, 'hostile'))
  expect(others).toHaveLength(5)
  expect(poolOf(100, 1).fill('new', 30)).toHaveLength(1)
})

it('tries the client’s next new endpoint as soon as the earlier ones answer slowly', () => {
  const slotPool = poolOf(100, 50)
  for (const endpoint of names('silent', 10)) slotPool.fill(endpoint, 1, 'client')
  expect(slotPool.fill('healthy', 1, 'client')).toEqual([])
  slotPool.pass(600)
  expect(slotPool.fill('healthy', 1, 'client')).toHaveLength(1)
})

it('keeps a quarter of the slots free of silent new endpoints, however many clients bring them', async () => {
  const slotPool = poolOf(100, 50)
  let inFlight = 0
  for (let round = 0; round < 10; round += 1) {
    for (const client of names('hostile', 40)) {
      for (const endpoint of names(`${client}-${round}-`, 10))
        inFlight += slotPool.fill(endpoint, 12, client).length
    }
    slotPool.pass(600)
  }
  expect(inFlight).toBeLessThanOrEqual(75)
  slotPool.recall('known', 'proved')
  expect(slotPool.fill('known', 10)).not.toHaveLength(0)
})

it('reports the speed class of an endpoint, and adopts what another process has learned', async () => {
  const slotPool = poolOf(100, 50)
  await slotPool.prove('refuses', 20, 'strained')
  await slotPool.prove('a', 20)
  await slotPool.prove('a', 20)
  await slotPool.prove('a', 5000)
  // Reported each time, because the store must know that it still holds.
  expect(slotPool.learned).toEqual(['a proved', 'a proved', 'a slow'])
  await slotPool.prove('a', 20)
  slotPool.recall('b', 'proved')
  expect(slotPool.fill('b', 60)).toHaveLength(50)
  // This worker's own measurement takes precedence.
  slotPool.recall('a', 'slow')
  expect(slotPool.enter('a')).toBeDefined()
})

it('frees one slot per leave, even when a slot leaves twice', async () => {
  const slotPool = poolOf(100, 2)
  await leaveAll(slotPool.fill('a', 5).slice(0, 1))
  expect(slotPool.fill('a', 5)).toHaveLength(1)
})

it('gives slow endpoints at most half of the slots', async () => {
  const slotPool = poolOf(100, 50)
  const slow = names('slow', 5)
  for (const endpoint of ['quick', ...slow]) await slotPool.prove(endpoint, 20)
  for (const endpoint of slow) slotPool.fill(endpoint, 10)
  slotPool.pass(2500)
  for (const endpoint of slow) expect(slotPool.fill(endpoint, 20)).toHaveLength(0)
  expect(slotPool.fill('quick', 80)).toHaveLength(20)
})

it('keeps a slot for another client’s slow endpoint when many quick endpoints of one client fall silent', async () => {
  const slotPool = poolOf(100, 50)
  await slotPool.prove('slow', 5000)
  const falling = names('falling', 60)
  for (const endpoint of falling) await slotPool.prove(endpoint, 20, 'none', 'hostile')
  const held = falling.flatMap((endpoint) => slotPool.fill(endpoint, 1, 'hostile'))
  expect(held.length).toBeGreaterThan(50)
  slotPool.pass(2500)
  expect(slotPool.fill('slow', 5)).toHaveLength(1)
})

it('counts an endpoint as slow while its oldest request is slow, and until its next quick answer', async () => {
  const slotPool = poolOf(20, 20)
  await slotPool.prove('a', 20)
  const inside = slotPool.fill('a', 10)
  expect(inside).toHaveLength(10)
  slotPool.pass(2500)
  expect(slotPool.fill('a', 5)).toHaveLength(0)
  await leaveAll(inside)
  const after = slotPool.fill('a', 20)
  expect(after).toHaveLength(7)
  await leaveAll(after)
  expect(slotPool.fill('a', 20)).toHaveLength(16)
})

it('gives a single slow endpoint at least one slot', async () => {
  const slotPool = poolOf(2, 50)
  await slotPool.prove('a', 5000)
  expect(slotPool.fill('a', 5)).toHaveLength(1)
})

it('keeps half of the slots for quick endpoints, however few slots there are', async () => {
  const slotPool = poolOf(2, 50)
  await slotPool.prove('a', 5000)
  await slotPool.prove('b', 5000)
  expect(slotPool.fill('a', 5)).toHaveLength(1)
  expect(slotPool.fill('b', 5)).toHaveLength(0)
  await slotPool.prove('quick', 20)
  expect(slotPool.fill('quick', 1)).toHaveLength(1)
})

it('measures only the exchange with an endpoint, not our own work', async () => {
  const slotPool = poolOf(100, 8)
  await slotPool.prove('a', 20)
  const waiting = slotPool.enter('a')
  slotPool.pass(60_000)
  expect(slotPool.fill('a', 20)).toHaveLength(7)
  waiting?.leave()
})

it('halves the limit of a strained endpoint, down to one, and raises it by one per round', async () => {
  const slotPool = poolOf(100, 16)
  await slotPool.prove('a', 20)
  for (const left of [8, 4, 2, 1, 1]) {
    await slotPool.prove('a', 20, 'strained')
    const inside = slotPool.fill('a', 30)
    expect(inside).toHaveLength(left)
    // Answers to requests from before the cut change the limit only by their growth.
    for (const { slot } of inside) slot.leave()
  }
  await slotPool.prove('a', 20)
  expect(slotPool.fill('a', 30)).toHaveLength(2)
})

it('learns nothing about an endpoint that got no request', async () => {
  const slotPool = poolOf(100, 16)
  await slotPool.prove('unknown', 20, 'unasked')
  expect(slotPool.fill('unknown', 30)).toHaveLength(2)
  await slotPool.prove('known', 20)
  await slotPool.prove('known', 60_000, 'unasked')
  expect(slotPool.fill('known', 30)).toHaveLength(16)
})

it('halves the limit once for a round of requests that fail together', async () => {
  const slotPool = poolOf(100, 16)
  await slotPool.prove('a', 20)
  const inside = Array.from({ length: 16 }, () => slotPool.enter('a')).filter((slot) => slot !== undefined)
  const failed = inside.map((slot) =>
    slot.exchange(
      () => Promise.resolve(),
      () => 'strained',
    ),
  )
  slotPool.pass(10)
  await Promise.all(failed)
  for (const slot of inside) slot.leave()
  expect(slotPool.fill('a', 30)).toHaveLength(8)
})

it('never forgets an endpoint with a request in flight, however many others come and go', async () => {
  const slotPool = poolOf(100, 50)
  await slotPool.prove('busy', 10)
  const inside = slotPool.fill('busy', 50)
  for (let index = 0; index < 10_001; index += 1) await slotPool.prove(`other-${index}`, 10)
  expect(slotPool.count()).toMatchObject({ busy: 1 })
  expect(slotPool.fill('busy', 1)).toEqual([])
  await leaveAll(inside)
  // The first of the others was forgotten, so it is unproved again.
  expect(slotPool.fill('other-0', 50)).toHaveLength(2)
  expect(slotPool.fill('other-10000', 50).length).toBeGreaterThan(20)
})

it('divides the limit of an endpoint among all workers, with at least one request each', () => {
  const slotPool = poolOf(300, 12)
  slotPool.recall('crm', 'proved')
  slotPool.setWorkerCount(3)
  expect(slotPool.fill('crm', 20)).toHaveLength(4)
  slotPool.setWorkerCount(20)
  slotPool.recall('other', 'proved')
  expect(slotPool.fill('other', 20)).toHaveLength(1)
  slotPool.setWorkerCount(1)
  expect(slotPool.fill('crm', 20)).toHaveLength(8)
})

it('limits a client’s new endpoints over all workers together', () => {
  const slotPool = poolOf(300, 50)
  const tries = (): number =>
    Array.from(
      { length: 10 },
      (_endpoint, index) => slotPool.fill(`new-${index}`, 5, 'client').length,
    ).reduce((sum, count) => sum + count)
  slotPool.setWorkerCount(5)
  expect(tries()).toBe(1)
  slotPool.setWorkerCount(1)
  expect(tries()).toBe(4)
})

it('keeps the reduced limit of a strained endpoint when another worker reports an answer', async () => {
  const slotPool = createSlotPool({ slots: 100, limit: 10, now: () => 0 })
  const slot = slotPool.enter('crm', 'client')
  await slot?.exchange(
    () => Promise.resolve(),
    () => 'strained',
  )
  slot?.leave()
  slotPool.recall('crm', 'proved')
  expect(slotPool.isProved('crm')).toBe(true)
  expect(slotPool.enter('crm', 'client')).toBeDefined()
  expect(slotPool.enter('crm', 'client')).toBeUndefined()
})
