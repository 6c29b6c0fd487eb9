import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { createHeavyPayloads, type HeavyPayloads } from '#worker/dispatch/heavy-payloads.ts'
import { HEAVY, SLICES } from '#core/fairness/limits.ts'
import type { Slot } from '#worker/dispatch/slot-pool.ts'

const LONGEST = 256 * 1024
/** Number of payloads that may begin at once. */
const AT_ONCE = HEAVY.atOnce / LONGEST
const A_SECOND = HEAVY.perSecond / LONGEST

const NO_STAY: Slot = { exchange: (work) => work(), begin: () => () => undefined, leave: () => undefined }

const of = (endpoint: string, client = 'client') => ({
  client_user_id: client,
  webhook_config_id: endpoint,
  config_version: '1',
})

let at: number
let heavy: HeavyPayloads
beforeEach(() => {
  at = 0
  heavy = createHeavyPayloads({ enter: () => ({ ...NO_STAY }) }, () => at)
  for (const endpoint of ['long', 'as long']) heavy.note(of(endpoint, 'owner'), LONGEST)
  heavy.note(of('short'), HEAVY.free)
  // The unexpected size was charged, and the tokens have refilled.
  at += 1000
})

/** Returns how many payloads may begin. */
function begin(endpoint: string, client: string, asked = 100): Slot[] {
  return Array.from({ length: asked }, () => heavy.enter(endpoint, client)).filter(
    (slot) => slot !== undefined,
  )
}

test('short payloads and payloads of unknown size begin at once', () => {
  begin('short', 'another')
  expect(begin('short', 'client')).toHaveLength(100)
  expect(begin('unknown', 'client')).toHaveLength(100)
})

test('long payloads begin at once while no other client sends', () => {
  expect(begin('long', 'client')).toHaveLength(100)
  begin('short', 'another', 1)
  at += HEAVY.activeMs + 1
  begin('long', 'client', 1)
  expect(begin('long', 'client')).toHaveLength(100)
})

test('beside another client, long payloads share one rate limit, whoever sends them', () => {
  begin('short', 'another', 1)
  expect(begin('long', 'client')).toHaveLength(AT_ONCE)
  expect(begin('as long', 'second')).toHaveLength(0)
  let begun = 0
  for (let step = 0; step < 1000; step += 1) {
    at += 10
    begin('short', 'another', 1)
    begun += begin(step % 2 === 0 ? 'long' : 'as long', step % 2 === 0 ? 'client' : 'second', 1).length
  }
  expect(begun).toBeGreaterThanOrEqual(10 * A_SECOND - AT_ONCE)
  expect(begun).toBeLessThanOrEqual(10 * A_SECOND + AT_ONCE)
})

test.each([
  [1, AT_ONCE],
  [4, AT_ONCE / 2],
])(
  'all workers share the rate limit: with %i workers, one may begin %i payloads in the same time',
  (workers, most) => {
    heavy.setWorkerCount(workers)
    begin('short', 'another', 1)
    begin('long', 'client')
    // Time in which all workers together may begin four more payloads.
    at += 1000 * (4 / A_SECOND)
    begin('short', 'another', 1)
    expect(begin('long', 'client')).toHaveLength(most)
  },
)

test('the size learned by another worker counts for an endpoint that is unknown here, and for no other', () => {
  for (const endpoint of ['recalled', 'short']) heavy.recall(endpoint, LONGEST)
  begin('unknown', 'another', 1)
  expect(begin('recalled', 'client')).toHaveLength(AT_ONCE)
  expect(begin('short', 'client')).toHaveLength(100)
})

test('a learned size is reported while it is heavy, and once more when it no longer is', () => {
  const told: number[] = []
  const telling = createHeavyPayloads(
    { enter: () => ({ ...NO_STAY }) },
    () => at,
    (_endpoint, weight) => told.push(weight),
  )
  for (const weight of [10, 3 * HEAVY.free, 10, 10, 10]) telling.note(of('one'), weight)
  expect(told).toEqual([3 * HEAVY.free, 1.5 * HEAVY.free, 0.75 * HEAVY.free])
})

test('tokens of a payload that did not begin are returned once; tokens of one that began are not', async () => {
  begin('short', 'another', 1)
  const [unused, used] = begin('long', 'client')
  unused?.leave()
  unused?.leave()
  await used?.exchange(
    () => Promise.resolve(),
    () => 'none',
  )
  used?.leave()
  expect(begin('long', 'client')).toHaveLength(1)
})

test('an endpoint is unlimited again after several short payloads, but not after one between two long ones', () => {
  begin('short', 'another', 1)
  begin('long', 'client')
  heavy.note(of('long'), 900)
  expect(begin('long', 'client')).toHaveLength(0)
  for (let sent = 0; sent < 3; sent += 1) heavy.note(of('long'), 900)
  expect(begin('long', 'client')).toHaveLength(100)
})

test('an unexpected size is charged afterwards, and the client’s unknown payloads wait until the tokens have refilled', () => {
  begin('short', 'another', 1)
  expect(begin('unknown', 'client', 4)).toHaveLength(4)
  for (let sent = 0; sent < 4; sent += 1) heavy.note(of(`unknown ${sent}`), LONGEST)
  expect(begin('long', 'owner')).toHaveLength(0)
  expect(begin('never seen', 'client')).toHaveLength(0)
  expect(begin('short', 'client')).toHaveLength(100)
  at += 1000
  begin('short', 'another', 1)
  expect(begin('never seen', 'client')).toHaveLength(AT_ONCE)
})

test('a client that gets no slot does not count as present', () => {
  const refusing = createHeavyPayloads(
    { enter: (endpoint) => (endpoint === 'full' ? undefined : NO_STAY) },
    () => at,
  )
  refusing.note(of('long'), LONGEST)
  refusing.enter('full', 'another')
  expect(Array.from({ length: 100 }, () => refusing.enter('long', 'client'))).not.toContain(undefined)
})

/** Counts turns of the event loop until the test is over. */
function countTurns(): () => number {
  let turns = 0
  let next = setImmediate(function count() {
    turns += 1
    next = setImmediate(count)
  })
  onTestFinished(() => clearImmediate(next))
  return () => turns
}

test('known short payloads are rendered at once; each long one has a turn of the event loop to itself', async () => {
  const turns = countTurns()
  const make = (endpoint: string, version: string) =>
    heavy.make(endpoint, version, () => {
      at += SLICES.mostMs
      return turns()
    })
  const others = [make('long', '1'), make('unknown', '1'), make('short', '2'), make('long', '1')]
  const before = at
  const light = make('short', '1')
  expect(at).toBe(before + SLICES.mostMs)
  expect(await light).toBe(0)
  expect(new Set(await Promise.all(others)).size).toBe(others.length)
})

test('quick payloads are rendered in one turn, and a failure reaches only its own caller', async () => {
  const turns = countTurns()
  const failing = heavy.make('unknown', '1', () => {
    throw new Error('cannot be made')
  })
  const others = Array.from({ length: 100 }, () => heavy.make('unknown', '1', turns))

  await expect(failing).rejects.toThrow('cannot be made')
  expect(new Set(await Promise.all(others)).size).toBe(1)
})
