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
  const day = { delivered: 7, failed: 13, lost: 0, tried: 0 }
  expect(rateDeliveries(day)).toBe(1)
  expect(countAttemptsEach(day)).toBeCloseTo(20 / 7)
  expect(describeDelivered(day)).toBe('7 of 7 delivered, 2.9 attempts each')
  expect(describeDelivered({ delivered: 3, failed: 0, lost: 0, tried: 0 })).toBe('3 of 3 delivered')
  expect(describeDelivered({ delivered: 1, failed: 4, lost: 0, tried: 1 })).toBe(
    '1 of 1 delivered, 1 tried again, 2.5 attempts each',
  )
  expect(describeDelivered({ delivered: 0, failed: 2, lost: 0, tried: 1 })).toBe('None yet, 2 attempts each')
  expect(describeDelivered({ delivered: 0, failed: 0, lost: 0, tried: 0 })).toBeNull()
  expect(rateDeliveries(addDays([day, { delivered: 0, failed: 3, lost: 1, tried: 0 }]))).toBe(7 / 8)
})
