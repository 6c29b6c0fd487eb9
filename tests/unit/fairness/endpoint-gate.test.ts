import { expect, it } from 'vitest'
import { createEndpointGate, type Entry, type Stay, type Strain } from '#core/fairness/endpoint-gate.ts'

function gateOf(slots: number, limit: number) {
  let time = 0
  const gate = createEndpointGate({ slotsOf: () => slots, limit, now: () => time, random: () => 0.5 })
  const asker = { queue: 'firsts', isReturning: false }
  const isStay = (entry: Entry): entry is Stay => 'leave' in entry
  return {
    pass: (ms: number) => {
      time += ms
    },
    enter: (endpoint: string, queue = 'firsts') => gate.enter(endpoint, { queue, isReturning: false }),
    count: () => gate.count(),
    /** As many as are let in, of `asked`; their exchanges go on until `leaveAll`. */
    fill: (endpoint: string, asked: number): Inside[] =>
      Array.from({ length: asked }, () => gate.enter(endpoint, asker))
        .filter(isStay)
        .map((stay) => {
          const { promise, resolve } = Promise.withResolvers<void>()
          return {
            stay,
            exchanged: stay.exchange(
              () => promise,
              () => 'none',
            ),
            end: resolve,
          }
        }),
    /** One exchange of `ms`, so that the endpoint is known by its speed. */
    prove: async (endpoint: string, ms: number, strain: Strain = 'none') => {
      const entry = gate.enter(endpoint, asker)
      if (!isStay(entry)) throw new Error('no place to prove an endpoint in')
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
  stay: Stay
  exchanged: Promise<void>
  end: () => void
}

async function leaveAll(inside: readonly Inside[]): Promise<void> {
  for (const { stay, exchanged, end } of inside) {
    end()
    await exchanged
    stay.leave()
    stay.leave()
  }
}

it('lets a quick endpoint have its limit, and others beside it', async () => {
  const gate = gateOf(100, 50)
  await gate.prove('a', 20)
  await gate.prove('b', 20)
  expect(gate.fill('a', 80)).toHaveLength(50)
  expect(gate.fill('b', 80)).toHaveLength(50)
})

it('lets an endpoint that has never answered have ten', async () => {
  const gate = gateOf(100, 50)
  expect(gate.fill('new', 30)).toHaveLength(10)
  expect(gateOf(100, 4).fill('new', 30)).toHaveLength(4)
})

it('opens one place for one leaving, even when it leaves twice', async () => {
  const gate = gateOf(100, 2)
  await leaveAll(gate.fill('a', 5).slice(0, 1))
  expect(gate.fill('a', 5)).toHaveLength(1)
})

it('makes all slow endpoints together share half of the slots in equal parts', async () => {
  const gate = gateOf(100, 50)
  const names = ['s1', 's2', 's3', 's4', 's5']
  for (const name of names) gate.fill(name, 10)
  gate.pass(2500)
  // Five with ten each hold their half: none may have more, however many ask.
  for (const name of names) expect(gate.fill(name, 20)).toHaveLength(0)
  await gate.prove('quick', 20)
  expect(gate.fill('quick', 80)).toHaveLength(50)
})

it('counts an endpoint as slow while its oldest exchange is, and after a slow answer until a quick one', async () => {
  const gate = gateOf(20, 20)
  await gate.prove('a', 20)
  const inside = gate.fill('a', 12)
  expect(inside).toHaveLength(12)
  gate.pass(2500)
  expect(gate.fill('a', 5)).toHaveLength(0)
  await leaveAll(inside)
  const after = gate.fill('a', 20)
  expect(after).toHaveLength(10)
  await leaveAll(after)
  expect(gate.fill('a', 20)).toHaveLength(20)
})

it('lets a single slow endpoint go on, one at least', async () => {
  const gate = gateOf(2, 50)
  await gate.prove('a', 5000)
  expect(gate.fill('a', 5)).toHaveLength(1)
})

it('leaves half of the slots to quick ones, however few there are', async () => {
  const gate = gateOf(2, 50)
  await gate.prove('a', 5000)
  await gate.prove('b', 5000)
  expect(gate.fill('a', 5)).toHaveLength(1)
  expect(gate.fill('b', 5)).toHaveLength(0)
  await gate.prove('quick', 20)
  expect(gate.fill('quick', 1)).toHaveLength(1)
})

it('asks those that wait for a slow endpoint to come back later than the others', async () => {
  const gate = gateOf(10, 1)
  await gate.prove('quick', 20)
  gate.fill('quick', 1)
  expect(gate.enter('quick')).toEqual({ waitMs: 100 })
  await gate.prove('slow', 5000)
  gate.fill('slow', 1)
  expect(gate.enter('slow')).toEqual({ waitMs: 5000 })
})

it('does not hold our own work against an endpoint: only the exchange counts', async () => {
  const gate = gateOf(10, 8)
  await gate.prove('a', 20)
  const waiting = gate.enter('a')
  gate.pass(60_000)
  expect(gate.fill('a', 20)).toHaveLength(7)
  if ('leave' in waiting) waiting.leave()
})

it('halves what a strained endpoint gets at a time, down to one, and lets it grow back by one a round', async () => {
  const gate = gateOf(100, 16)
  await gate.prove('a', 20)
  for (const left of [8, 4, 2, 1, 1]) {
    await gate.prove('a', 20, 'strained')
    const inside = gate.fill('a', 30)
    expect(inside).toHaveLength(left)
    // Answers to what began before the cut change it by their growth alone.
    for (const { stay } of inside) stay.leave()
  }
  await gate.prove('a', 20)
  expect(gate.fill('a', 30)).toHaveLength(2)
})

it('is cut once by a round of requests that fail together', async () => {
  const gate = gateOf(100, 16)
  await gate.prove('a', 20)
  const inside = Array.from({ length: 16 }, () => gate.enter('a')).filter((entry) => 'leave' in entry)
  const failed = inside.map((stay) =>
    stay.exchange(
      () => Promise.resolve(),
      () => 'strained',
    ),
  )
  gate.pass(10)
  await Promise.all(failed)
  for (const stay of inside) stay.leave()
  expect(gate.fill('a', 30)).toHaveLength(8)
})

it('sends those it turns away as far off as those before them will take', async () => {
  const gate = gateOf(100, 1)
  await gate.prove('a', 20)
  const [inside] = gate.fill('a', 1)
  const waits = Array.from({ length: 400 }, () => gate.enter('a')).map((entry) =>
    'waitMs' in entry ? entry.waitMs : Number.NaN,
  )
  expect([waits[0], waits[99], waits[399]]).toEqual([100, 2000, 8000])
  inside?.stay.leave()
  for (let turn = 0; turn < 400; turn += 1) {
    for (const { stay } of gate.fill('a', 1)) stay.leave()
  }
  gate.fill('a', 1)
  expect(gate.enter('a')).toEqual({ waitMs: 100 })
})

it('leaves half of each queue to the others, however many a slow endpoint has in another queue', async () => {
  const gate = gateOf(20, 50)
  await gate.prove('slow', 5000)
  expect(gate.fill('slow', 30)).toHaveLength(10)
  const retries = Array.from({ length: 30 }, () => gate.enter('slow', 'retries')).filter(
    (entry) => 'leave' in entry,
  )
  expect(retries).toHaveLength(10)
})

it('forgets none that has something in flight, however many others come and go', async () => {
  const gate = gateOf(100, 50)
  await gate.prove('busy', 10)
  const inside = gate.fill('busy', 50)
  for (let index = 0; index < 10_001; index += 1) await gate.prove(`other-${index}`, 10)
  expect(gate.count()).toMatchObject({ busy: 1 })
  expect(gate.fill('busy', 1)).toEqual([])
  await leaveAll(inside)
  // The first of the others was forgotten: it is unproven again.
  expect(gate.fill('other-0', 50)).toHaveLength(10)
  expect(gate.fill('other-10000', 50)).toHaveLength(50)
})
