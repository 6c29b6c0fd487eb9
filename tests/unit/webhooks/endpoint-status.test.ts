import { expect, test } from 'vitest'
import { endpointStatus, listTroubled } from '#core/domain/webhooks/endpoint-status.ts'
import { addDays, countAttemptsEach, rateDeliveries } from '#core/domain/webhooks/rate-deliveries.ts'
import { describeDelivered } from '#web/components/describe-delivered.ts'

const facts = {
  is_active: true,
  was_switched_off: false,
  failures_in_row: 0,
  breaker: 'closed',
  lost_in_row: 0,
  has_attempts: true,
} as const

test('an endpoint is failing after two failures in a row, a lost delivery or an open breaker, but not after one failure', () => {
  expect(endpointStatus({ ...facts, has_attempts: false })).toBe('unused')
  expect(endpointStatus({ ...facts, failures_in_row: 1 })).toBe('healthy')
  expect(endpointStatus({ ...facts, failures_in_row: 2 })).toBe('failing')
  expect(endpointStatus({ ...facts, failures_in_row: 1, lost_in_row: 1 })).toBe('failing')
  expect(endpointStatus({ ...facts, breaker: 'open' })).toBe('failing')
  // A later success has ended the row of failures.
  expect(endpointStatus({ ...facts, lost_in_row: 1 })).toBe('healthy')
})

test('an endpoint that is off shows who switched it off, whatever failed before, and is listed first', () => {
  const off = { ...facts, is_active: false, failures_in_row: 30 }
  expect(endpointStatus(off)).toBe('inactive')
  expect(endpointStatus({ ...off, was_switched_off: true })).toBe('switched_off')
  const all = (['healthy', 'failing', 'inactive', 'switched_off'] as const).map((standing) => ({ standing }))
  expect(listTroubled(all)).toEqual([{ standing: 'switched_off' }, { standing: 'failing' }])
})

test('a success rate counts deliveries, and shows the attempts per delivery', () => {
  const day = { delivered: 7, failed: 13, lost: 0, tried: 0, waiting: 0 }
  expect(rateDeliveries(day)).toBe(1)
  expect(countAttemptsEach(day)).toBeCloseTo(20 / 7)
  expect(describeDelivered(day)).toBe('7 of 7 delivered, 2.9 attempts each')
  const none = { delivered: 0, failed: 0, lost: 0, tried: 0, waiting: 0 }
  expect(describeDelivered({ ...none, delivered: 3 })).toBe('3 of 3 delivered')
  expect(describeDelivered({ ...none, delivered: 1, failed: 4, tried: 1, waiting: 1 })).toBe(
    '1 of 2 delivered, 1 waiting, 2.5 attempts each',
  )
  expect(describeDelivered(none)).toBeNull()
  expect(rateDeliveries(addDays([day, { ...none, failed: 3, lost: 1 }]))).toBe(7 / 8)
  expect(rateDeliveries(none)).toBeNull()
})

test('deliveries that wait or are held are not delivered, whether or not they had an attempt', () => {
  const outage = { delivered: 11, failed: 160, lost: 0, tried: 40, waiting: 80 }
  expect(rateDeliveries(outage)).toBe(11 / 91)
  expect(describeDelivered({ ...outage, failed: 0, tried: 0 })).toBe('11 of 91 delivered, 80 waiting')
})
