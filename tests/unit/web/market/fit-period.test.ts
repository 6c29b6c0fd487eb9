import { expect, test } from 'vitest'
import { analyticsQuerySchema, MOST_DAYS } from '#core/contract/market/analytics.ts'
import { fitPeriod } from '#web/market/analytics/fit-period.ts'

test('a period stays valid for the API, whichever of its dates changes', () => {
  const period = { from: '2026-03-01', to: '2026-03-31' }
  const changes = ['2020-02-29', '2025-03-30', '2025-04-01', '2026-03-15', '2026-04-01', '2030-01-01']
  for (const date of changes) {
    for (const changed of [{ from: date }, { to: date }]) {
      const fitted = fitPeriod(period, changed, MOST_DAYS)
      expect(fitted).toMatchObject(changed)
      expect(analyticsQuerySchema.safeParse(fitted).success, JSON.stringify(fitted)).toBe(true)
    }
  }
  expect(fitPeriod(period, { from: '2026-03-15' }, MOST_DAYS)).toEqual({
    from: '2026-03-15',
    to: '2026-03-31',
  })
  expect(fitPeriod(period, { to: '2020-02-29' }, MOST_DAYS)).toEqual({ from: '2020-02-29', to: '2020-02-29' })
})
