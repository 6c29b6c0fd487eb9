import { expect, test } from 'vitest'
import { APP_PATHS } from '#core/contract/paths.ts'
import { findTooHeavy, ROUTE_BUDGETS } from '#scripts/app-build/route-budgets.ts'

test('every screen has a budget, and a build is refused above 1.05 times the budget', () => {
  expect(Object.keys(ROUTE_BUDGETS).toSorted()).toEqual([...Object.keys(APP_PATHS), 'notFound'].toSorted())
  const { budget } = ROUTE_BUDGETS.auth
  expect(findTooHeavy(new Map([['auth', budget * 1.049]]))).toEqual([])
  expect(findTooHeavy(new Map([['auth', budget * 1.051]]))).toEqual([
    `/auth: ${(budget * 1.051).toFixed(1)} KB, its budget is ${budget}`,
  ])
})
