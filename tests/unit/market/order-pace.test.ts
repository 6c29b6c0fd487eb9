import { expect, test } from 'vitest'
import { paceOrder, type PacedOrder } from '#core/domain/market/orders/order-pace.ts'

const NOON = { weekday: 'wed', minute: 720 } as const
const ORDER: PacedOrder = { leads: 10, daily_cap: null, schedule: null, is_taking: true }

test('a forecast continues the day at its present rate', () => {
  expect(paceOrder(ORDER, NOON)).toEqual({ kind: 'heading', leads: 20, minute: null })
  expect(paceOrder({ ...ORDER, leads: 0 }, NOON)).toEqual({ kind: 'heading', leads: 0, minute: null })
  expect(paceOrder({ ...ORDER, daily_cap: 21 }, NOON)).toEqual({ kind: 'heading', leads: 20, minute: null })
})

test('a forecast ends at the cap, at the minute when the cap is reached', () => {
  // One lead in 72 minutes: the five that are left take six hours.
  expect(paceOrder({ ...ORDER, daily_cap: 15 }, NOON)).toEqual({ kind: 'heading', leads: 15, minute: 1080 })
  expect(paceOrder({ ...ORDER, daily_cap: 20 }, NOON)).toEqual({ kind: 'heading', leads: 20, minute: 1439 })
  expect(paceOrder({ ...ORDER, daily_cap: 10 }, NOON)).toEqual({ kind: 'reached' })
  expect(paceOrder({ ...ORDER, leads: 11, daily_cap: 10, is_taking: false }, NOON)).toEqual({
    kind: 'reached',
  })
})

test('a forecast counts only the order’s open hours, including those that began yesterday', () => {
  const schedule = { wed: [['09:00', '17:00']] } satisfies PacedOrder['schedule']
  expect(paceOrder({ ...ORDER, schedule, leads: 6 }, NOON)).toEqual({
    kind: 'heading',
    leads: 16,
    minute: null,
  })
  expect(paceOrder({ ...ORDER, schedule, leads: 6, daily_cap: 12 }, NOON)).toEqual({
    kind: 'heading',
    leads: 12,
    minute: 900,
  })
  expect(paceOrder({ ...ORDER, schedule }, { weekday: 'wed', minute: 1020 })).toEqual({ kind: 'over' })
  const night = { tue: [['22:00', '02:00']] } satisfies PacedOrder['schedule']
  expect(paceOrder({ ...ORDER, schedule: night, leads: 3 }, { weekday: 'wed', minute: 60 })).toEqual({
    kind: 'heading',
    leads: 6,
    minute: null,
  })
})

test('an order has no forecast in its first open hour or when it takes no more leads', () => {
  expect(paceOrder(ORDER, { weekday: 'wed', minute: 59 })).toEqual({ kind: 'early' })
  expect(paceOrder(ORDER, { weekday: 'wed', minute: 60 })).toMatchObject({ kind: 'heading' })
  expect(paceOrder({ ...ORDER, is_taking: false }, NOON)).toEqual({ kind: 'over' })
  expect(paceOrder({ ...ORDER, schedule: {} }, NOON)).toEqual({ kind: 'over' })
})
