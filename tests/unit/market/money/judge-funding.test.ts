import { expect, test } from 'vitest'
import { judgeFunding } from '#core/domain/market/judge-funding.ts'

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
