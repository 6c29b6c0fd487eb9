import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  dueOfReversal,
  mergeReversal,
  shareTaken,
  type Reversal,
} from '#core/domain/market/payments/judge-reversal.ts'

const FIRST: Record<'dispute' | 'refund', Reversal> = {
  dispute: { state: 'warned', amount: 0, at: 0 },
  refund: { state: 'paid_back', amount: 0, at: 0 },
}
const tell = (kind: 'dispute' | 'refund', told: readonly Reversal[]): Reversal =>
  told.reduce((known, one) => mergeReversal(known, one), FIRST[kind])

test('a dispute ends the same in any order and number of its events', () => {
  const orders = fc
    .array(fc.constantFrom('warned', 'open', 'lost', 'won'), { minLength: 1, maxLength: 8 })
    .chain((told) =>
      fc.tuple(
        fc.constant(told),
        fc.shuffledSubarray(told, { minLength: told.length }),
        fc.integer({ min: 1 }),
      ),
    )
  fc.assert(
    fc.property(orders, ([told, shuffled, amount]) => {
      const say = (states: readonly Reversal['state'][]) =>
        tell(
          'dispute',
          states.map((state) => ({ state, amount, at: 1 })),
        )
      expect(say(shuffled)).toEqual(say([...told, ...told]))
      const isTaken = !told.includes('won') && told.some((state) => state === 'open' || state === 'lost')
      expect(dueOfReversal(say(shuffled))).toBe(isTaken ? amount : 0)
    }),
    { numRuns: 10_000 },
  )
})

test('the largest of several refund sums within one second counts', () => {
  fc.assert(
    fc.property(fc.array(fc.nat({ max: 1_000_000 }), { minLength: 1 }), (sums) => {
      const end = tell(
        'refund',
        sums.map((amount) => ({ state: 'paid_back', amount, at: 1 })),
      )
      expect(dueOfReversal(end)).toBe(Math.max(...sums))
    }),
    { numRuns: 10_000 },
  )
})

test('the newest amount of a dispute counts, in any order of events', () => {
  const amounts = fc.array(fc.nat({ max: 1_000_000 }), { minLength: 1, maxLength: 8 }).chain((told) => {
    const events = told.map((amount, at): Reversal => ({ state: 'open', amount, at }))
    return fc.tuple(fc.constant(told), fc.shuffledSubarray(events, { minLength: told.length }))
  })
  fc.assert(
    fc.property(amounts, ([told, shuffled]) => {
      expect(dueOfReversal(tell('dispute', shuffled))).toBe(told.at(-1))
    }),
    { numRuns: 2000 },
  )
})

test('reversals take at most the credited amount, keep what they took while it is due, and report the excess', () => {
  const cents = fc.nat({ max: 300 })
  const reversals = fc.array(fc.record({ due: cents, taken: cents }), { maxLength: 4 })
  fc.assert(
    fc.property(cents, reversals, (credited, given) => {
      const { taken, excess } = shareTaken(credited, given)
      const sum = (amounts: readonly number[]) => amounts.reduce((total, amount) => total + amount, 0)
      const due = sum(given.map((one) => one.due))
      expect([sum(taken), excess]).toEqual([Math.min(credited, due), Math.max(0, due - credited)])
      const again = given.map((one, index) => ({ due: one.due, taken: taken[index] ?? 0 }))
      expect(shareTaken(credited, again).taken).toEqual(taken)
      if (sum(given.map((one) => one.taken)) <= credited)
        for (const [index, one] of given.entries())
          expect(taken[index]).toBeGreaterThanOrEqual(Math.min(one.due, one.taken))
    }),
    { numRuns: 5000 },
  )
})

test('the newest refund sum counts in any order of events, minus refunds that failed since', () => {
  const refund = (amount: number, at: number): Reversal => ({ state: 'paid_back', amount, at })
  const sums = [refund(2000, 1), refund(5000, 2), refund(1500, 4)]
  for (const told of [sums, sums.toReversed()]) expect(tell('refund', told)).toEqual(refund(1500, 4))
  const early = tell('refund', sums.slice(0, 2))
  expect([dueOfReversal(early, 3000), dueOfReversal(early, 9000)]).toEqual([2000, 0])
})
