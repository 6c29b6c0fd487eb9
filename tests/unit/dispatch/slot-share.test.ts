import { expect, it } from 'vitest'
import { createSlotShare, type Slot, type Strain } from '#worker/dispatch/slot-share.ts'

function shareOf(slots: number, limit: number) {
  let time = 0
  const learned: string[] = []
  const share = createSlotShare({
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
    recall: share.recall,
    setWorkerCount: share.setWorkerCount,
    enter: (endpoint: string, client = endpoint) => share.enter(endpoint, client),
    count: () => share.count(),
    /** As many as are let in, of `asked`; their exchanges go on until `leaveAll`. */
    fill: (endpoint: string, asked: number, client = endpoint): Inside[] =>
      Array.from({ length: asked }, () => share.enter(endpoint, client))
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
    /** One exchange of `ms`, so that the endpoint is known by its speed. */
    prove: async (endpoint: string, ms: number, strain: Strain = 'none', client = endpoint) => {
      const entry = share.enter(endpoint, client)
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

it('lets a quick endpoint have its limit, and another of somebody else much beside it', async () => {
  const share = shareOf(100, 50)
  await share.prove('a', 20)
  await share.prove('b', 20)
  expect(share.fill('a', 80)).toHaveLength(50)
  expect(share.fill('b', 80)).toHaveLength(20)
})

it('lets a client who is alone have most of the slots, and never the last of them', async () => {
  const share = shareOf(100, 100)
  await share.prove('a', 20)
  expect(share.fill('a', 200)).toHaveLength(80)
})

it('has room for a client who holds nothing, however many take all that they can', async () => {
  const share = shareOf(100, 100)
  for (const client of ['modest', ...names('greedy', 20)]) await share.prove(client, 20)
  for (const client of names('greedy', 20)) share.fill(client, 100)
  expect(share.fill('modest', 5)).toHaveLength(1)
})

it('lets all endpoints of a client that have never answered have five slots together, two each', () => {
  const share = shareOf(100, 50)
  expect(share.fill('new', 30)).toHaveLength(2)
  const others = names('silent', 300).flatMap((endpoint) => share.fill(endpoint, 12, 'hostile'))
  expect(others).toHaveLength(5)
  expect(shareOf(100, 1).fill('new', 30)).toHaveLength(1)
})

it('tries the next new endpoint of a client as soon as the ones before it are in doubt', () => {
  const share = shareOf(100, 50)
  for (const endpoint of names('silent', 10)) share.fill(endpoint, 1, 'client')
  expect(share.fill('healthy', 1, 'client')).toEqual([])
  share.pass(600)
  expect(share.fill('healthy', 1, 'client')).toHaveLength(1)
})

it('leaves a quarter of the slots alone however many clients bring new endpoints that do not answer', async () => {
  const share = shareOf(100, 50)
  let inFlight = 0
  for (let round = 0; round < 10; round += 1) {
    for (const client of names('hostile', 40)) {
      for (const endpoint of names(`${client}-${round}-`, 10))
        inFlight += share.fill(endpoint, 12, client).length
    }
    share.pass(600)
  }
  expect(inFlight).toBeLessThanOrEqual(75)
  share.recall('known', 'proved')
  expect(share.fill('known', 10)).not.toHaveLength(0)
})

it('tells what it learns of an endpoint, and takes over what another process has learned', async () => {
  const share = shareOf(100, 50)
  await share.prove('refuses', 20, 'strained')
  await share.prove('a', 20)
  await share.prove('a', 20)
  await share.prove('a', 5000)
  // Each time: whoever keeps it must know that it still holds.
  expect(share.learned).toEqual(['a proved', 'a proved', 'a slow'])
  await share.prove('a', 20)
  share.recall('b', 'proved')
  expect(share.fill('b', 60)).toHaveLength(50)
  // What is known here counts for more.
  share.recall('a', 'slow')
  expect(share.enter('a')).toBeDefined()
})

it('opens one place for one leaving, even when it leaves twice', async () => {
  const share = shareOf(100, 2)
  await leaveAll(share.fill('a', 5).slice(0, 1))
  expect(share.fill('a', 5)).toHaveLength(1)
})

it('lets slow endpoints that hold half of the slots have no more', async () => {
  const share = shareOf(100, 50)
  const slow = names('slow', 5)
  for (const endpoint of ['quick', ...slow]) await share.prove(endpoint, 20)
  for (const endpoint of slow) share.fill(endpoint, 10)
  share.pass(2500)
  for (const endpoint of slow) expect(share.fill(endpoint, 20)).toHaveLength(0)
  expect(share.fill('quick', 80)).toHaveLength(20)
})

it("leaves a slot to a slow endpoint of somebody else where one client's quick ones fell silent together", async () => {
  const share = shareOf(100, 50)
  await share.prove('slow', 5000)
  const falling = names('falling', 60)
  for (const endpoint of falling) await share.prove(endpoint, 20, 'none', 'hostile')
  const held = falling.flatMap((endpoint) => share.fill(endpoint, 1, 'hostile'))
  expect(held.length).toBeGreaterThan(50)
  share.pass(2500)
  expect(share.fill('slow', 5)).toHaveLength(1)
})

it('counts an endpoint as slow while its oldest exchange is, and after a slow answer until a quick one', async () => {
  const share = shareOf(20, 20)
  await share.prove('a', 20)
  const inside = share.fill('a', 10)
  expect(inside).toHaveLength(10)
  share.pass(2500)
  expect(share.fill('a', 5)).toHaveLength(0)
  await leaveAll(inside)
  const after = share.fill('a', 20)
  expect(after).toHaveLength(7)
  await leaveAll(after)
  expect(share.fill('a', 20)).toHaveLength(16)
})

it('lets a single slow endpoint go on, one at least', async () => {
  const share = shareOf(2, 50)
  await share.prove('a', 5000)
  expect(share.fill('a', 5)).toHaveLength(1)
})

it('leaves half of the slots to quick ones, however few there are', async () => {
  const share = shareOf(2, 50)
  await share.prove('a', 5000)
  await share.prove('b', 5000)
  expect(share.fill('a', 5)).toHaveLength(1)
  expect(share.fill('b', 5)).toHaveLength(0)
  await share.prove('quick', 20)
  expect(share.fill('quick', 1)).toHaveLength(1)
})

it('does not hold our own work against an endpoint: only the exchange counts', async () => {
  const share = shareOf(100, 8)
  await share.prove('a', 20)
  const waiting = share.enter('a')
  share.pass(60_000)
  expect(share.fill('a', 20)).toHaveLength(7)
  waiting?.leave()
})

it('halves what a strained endpoint gets at a time, down to one, and lets it grow back by one a round', async () => {
  const share = shareOf(100, 16)
  await share.prove('a', 20)
  for (const left of [8, 4, 2, 1, 1]) {
    await share.prove('a', 20, 'strained')
    const inside = share.fill('a', 30)
    expect(inside).toHaveLength(left)
    // Answers to what began before the cut change it by their growth alone.
    for (const { slot } of inside) slot.leave()
  }
  await share.prove('a', 20)
  expect(share.fill('a', 30)).toHaveLength(2)
})

it('learns nothing of an endpoint that was not asked', async () => {
  const share = shareOf(100, 16)
  await share.prove('unknown', 20, 'unasked')
  expect(share.fill('unknown', 30)).toHaveLength(2)
  await share.prove('known', 20)
  await share.prove('known', 60_000, 'unasked')
  expect(share.fill('known', 30)).toHaveLength(16)
})

it('is cut once by a round of requests that fail together', async () => {
  const share = shareOf(100, 16)
  await share.prove('a', 20)
  const inside = Array.from({ length: 16 }, () => share.enter('a')).filter((slot) => slot !== undefined)
  const failed = inside.map((slot) =>
    slot.exchange(
      () => Promise.resolve(),
      () => 'strained',
    ),
  )
  share.pass(10)
  await Promise.all(failed)
  for (const slot of inside) slot.leave()
  expect(share.fill('a', 30)).toHaveLength(8)
})

it('forgets none that has something in flight, however many others come and go', async () => {
  const share = shareOf(100, 50)
  await share.prove('busy', 10)
  const inside = share.fill('busy', 50)
  for (let index = 0; index < 10_001; index += 1) await share.prove(`other-${index}`, 10)
  expect(share.count()).toMatchObject({ busy: 1 })
  expect(share.fill('busy', 1)).toEqual([])
  await leaveAll(inside)
  // The first of the others was forgotten: it is unproven again.
  expect(share.fill('other-0', 50)).toHaveLength(2)
  expect(share.fill('other-10000', 50).length).toBeGreaterThan(20)
})

it('gives an endpoint what it may get from all workers together, and each of them one request at least', () => {
  const share = shareOf(300, 12)
  share.recall('crm', 'proved')
  share.setWorkerCount(3)
  expect(share.fill('crm', 20)).toHaveLength(4)
  share.setWorkerCount(20)
  share.recall('other', 'proved')
  expect(share.fill('other', 20)).toHaveLength(1)
  share.setWorkerCount(1)
  expect(share.fill('crm', 20)).toHaveLength(8)
})

it('lets a client try his new endpoints in all workers together no more often than in one', () => {
  const share = shareOf(300, 50)
  const tries = (): number =>
    Array.from({ length: 10 }, (_endpoint, index) => share.fill(`new-${index}`, 5, 'client').length).reduce(
      (sum, count) => sum + count,
    )
  share.setWorkerCount(5)
  expect(tries()).toBe(1)
  share.setWorkerCount(1)
  expect(tries()).toBe(4)
})

it('keeps the limit of a strained endpoint when another worker has seen it answer', async () => {
  const share = createSlotShare({ slots: 100, limit: 10, now: () => 0 })
  const slot = share.enter('crm', 'client')
  await slot?.exchange(
    () => Promise.resolve(),
    () => 'strained',
  )
  slot?.leave()
  share.recall('crm', 'proved')
  expect(share.isProved('crm')).toBe(true)
  expect(share.enter('crm', 'client')).toBeDefined()
  expect(share.enter('crm', 'client')).toBeUndefined()
})
