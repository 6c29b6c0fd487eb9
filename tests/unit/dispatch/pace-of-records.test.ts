import { expect, test } from 'vitest'
import { DISPATCH } from '#core/fairness/limits.ts'
import { paceOfRecords } from '#worker/limits.ts'

test.each([1, 2, 5, 10, 33, 50])(
  'with %i slots, answers are written at once when they reach the number of attempts beyond the slots',
  (slots) => {
    const mostOpen = Math.ceil(slots * DISPATCH.mostOpen)
    expect(slots + paceOfRecords(slots).enough).toBeLessThanOrEqual(mostOpen)
    expect(paceOfRecords(slots).enough).toBeGreaterThanOrEqual(1)
  },
)

test('a large worker writes fifty at once', () => {
  expect(paceOfRecords(200).enough).toBe(50)
})
