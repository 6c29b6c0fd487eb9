import { expect, test } from 'vitest'
import { countDaysLeft, judgeFunding } from '#core/domain/market/judge-funding.ts'

test.each([
  [0, 0, null, 'out'],
  [1, 0, null, 'available'],
  [2499, 0, 2500, 'out'],
  [2500, 2500, 2500, 'available'],
  [2500, 2501, 2500, 'limited'],
  [9999, 10_000, null, 'limited'],
] as const)(
  'a balance of %d with threshold %d and cheapest lead %s is %s',
  (balance, threshold, cheapest, funding) => {
    expect(judgeFunding({ balance, threshold, cheapest })).toBe(funding)
  },
)

test.each([
  [10_000, 0, 0, null],
  [10_000, 7000, 7, 10],
  // Bought this morning: the pace is that of a day, not of a minute.
  [10_000, 5000, 0.01, 2],
  [0, 5000, 7, 0],
  [-1, 5000, 7, 0],
  [9999, 10_000, 1, 0],
])('%d left after %d spent in %d days lasts %s', (balance, spent, days, left) => {
  expect(countDaysLeft(balance, spent, days)).toBe(left)
})
