import fc from 'fast-check'
import { expect, test } from 'vitest'
import { dueOfReversal, mergeReversal, type Reversal } from '#core/domain/market/judge-reversal.ts'

const FIRST: Record<'dispute' | 'refund', Reversal> = {
  dispute: { state: 'warned', amount: 0 },
  refund: { state: 'paid_back', amount: 0 },
}
const tell = (kind: 'dispute' | 'refund', told: readonly Reversal[]): Reversal =>
  told.reduce((known, one) => mergeReversal(known, one), FIRST[kind])

test('whatever order a dispute is told in, and however often, it ends the same', () => {
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
          states.map((state) => ({ state, amount })),
        )
      expect(say(shuffled)).toEqual(say([...told, ...told]))
      const isTaken = !told.includes('won') && told.some((state) => state === 'open' || state === 'lost')
      expect(dueOfReversal(say(shuffled))).toBe(isTaken ? amount : 0)
    }),
    { numRuns: 10_000 },
  )
})

test('of what was paid back the largest sum counts', () => {
  fc.assert(
    fc.property(fc.array(fc.nat({ max: 1_000_000 }), { minLength: 1 }), (sums) => {
      const end = tell(
        'refund',
        sums.map((amount) => ({ state: 'paid_back', amount })),
      )
      expect(dueOfReversal(end)).toBe(Math.max(...sums))
    }),
    { numRuns: 10_000 },
  )
})
