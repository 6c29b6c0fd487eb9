import { describe, expect, it } from 'vitest'
import type { LeadForPayload } from '#core/contract/leads/lead-for-payload.ts'
import { leadTypeLabel, leadValues } from '#core/domain/leads/lead-values.ts'
import { SAMPLE_LEAD } from '#core/domain/leads/sample-lead.ts'

const valuesOf = (change: Partial<LeadForPayload>, sentAt = '2026-01-31T12:00:00Z') =>
  leadValues(
    { ...SAMPLE_LEAD, ...change },
    {
      event: 'lead.assigned',
      deliveryId: 'dlv-1',
      clientId: 'client-1',
      sentAt: new Date(sentAt),
      outcomeUrl: () => 'https://leadwire.example',
    },
  )

it.each([
  ['1958-03-14', '2026-03-13T23:59:59Z', 67],
  ['1958-03-14', '2026-03-14T00:00:00Z', 68],
  ['1958-03-14', '2026-03-15T00:00:00Z', 68],
  ['1958-12-31', '2026-01-01T00:00:00Z', 67],
  ['1958-01-01', '2026-12-31T00:00:00Z', 68],
  ['2000-02-29', '2025-02-28T12:00:00Z', 24],
  ['2000-02-29', '2025-03-01T00:00:00Z', 25],
  ['2000-02-29', '2024-02-29T00:00:00Z', 24],
  ['2026-01-31', '2026-01-31T00:00:00Z', 0],
])('the age of a person born on %s is, on %s, %i years', (date_of_birth, sentAt, age) => {
  expect(valuesOf({ date_of_birth, age: null }, sentAt)).toHaveProperty('age', age)
})

it('contains the order that bought the lead, or null if none did', () => {
  expect(valuesOf({ order_id: 'o1', order_name: 'West' })).toMatchObject({
    order_id: 'o1',
    order_name: 'West',
  })
  expect(valuesOf({ order_id: null, order_name: null })).toMatchObject({ order_id: null, order_name: null })
})

it('keeps a given age, and has none without a date of birth', () => {
  expect(valuesOf({ age: 70 })).toHaveProperty('age', 70)
  expect(valuesOf({ age: null, date_of_birth: null })).toMatchObject({
    age: null,
    dob_us: null,
    date_of_birth: null,
  })
  expect(valuesOf({ age: null, date_of_birth: '2026-02-01' }), 'not born yet').toHaveProperty('age', null)
})

it('writes the date of birth in ISO and US order', () => {
  expect(valuesOf({ date_of_birth: '1958-03-04' })).toMatchObject({
    date_of_birth: '1958-03-04',
    dob_us: '03/04/1958',
  })
})

it.each([
  ['+15125550143', '5125550143', '(512) 555-0143'],
  ['+442079460123', '442079460123', '+442079460123'],
  ['+1512555014', '1512555014', '+1512555014'],
  [null, null, null],
])('writes the phone %s as %s and %s', (phone, phone_10, phone_formatted) => {
  expect(valuesOf({ phone })).toMatchObject({ phone, phone_10, phone_formatted })
})

it('writes times as ISO 8601 in UTC, from a Date and from text', () => {
  expect(
    valuesOf({ created_at: new Date('2026-01-31T12:00:00+02:00'), assigned_at: '2026-01-31 05:00:00-05' }),
  ).toMatchObject({
    created_at: '2026-01-31T10:00:00.000Z',
    assigned_at: '2026-01-31T10:00:00.000Z',
    sent_at: '2026-01-31T12:00:00.000Z',
  })
})

it('gives amounts as numbers, exact to the cent', () => {
  expect(
    valuesOf({ coverage_amount: '999999999999.99', deal_size: '0.10', price_charged: null }),
  ).toMatchObject({ coverage_amount: 999_999_999_999.99, deal_size: 0.1, price: null })
})

it('spells out the state and the lead type', () => {
  expect(valuesOf({ state: 'NY', lead_type: 'final_expense' })).toMatchObject({
    state_name: 'New York',
    lead_type_label: 'Final expense',
  })
  expect(valuesOf({ state: 'XX' })).toHaveProperty('state_name', null)
  expect(valuesOf({ state: 'constructor' })).toHaveProperty('state_name', null)
  expect(valuesOf({ state: null })).toHaveProperty('state_name', null)
  expect(leadTypeLabel('')).toBe('')
})

describe('custom fields', () => {
  it('keep their own names and cannot replace a field of the lead', () => {
    const custom: unknown = JSON.parse(
      '{"policy":"A-1","email":"other@example.com","n":1.5,"b":false,"z":null,"__proto__":"p"}',
    )
    const values = valuesOf({ custom: custom as Record<string, unknown> })
    expect(values).toMatchObject({
      email: SAMPLE_LEAD.email,
      'custom.policy': 'A-1',
      'custom.email': 'other@example.com',
      'custom.n': 1.5,
      'custom.b': false,
      'custom.z': null,
      'custom.__proto__': 'p',
    })
    expect(Object.getPrototypeOf(values)).toBe(Object.prototype)
  })

  it('that hold an object or a list become JSON text', () => {
    expect(valuesOf({ custom: { list: [1, 'a'], object: { a: 1 } } })).toMatchObject({
      'custom.list': '[1,"a"]',
      'custom.object': '{"a":1}',
    })
  })
})
