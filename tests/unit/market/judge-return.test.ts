import { describe, expect, test } from 'vitest'
import { NOTED_REASONS, RETURN_REASONS, returnRequestSchema } from '#core/contract/market/lead-return.ts'
import { describeReturn } from '#core/domain/market/describe-return.ts'
import {
  isReturnHeld,
  judgeReturn,
  returnableUntil,
  type HeldLead,
} from '#core/domain/market/judge-return.ts'

const assigned_at = new Date('2026-11-23T03:30:00Z')
const lead: HeldLead = { assigned_at, price: '25.00', is_test: false, is_erased: false, has_request: false }
const judge = (changed: Partial<HeldLead> = {}, at = assigned_at, zone = 'America/New_York') =>
  judgeReturn({ ...lead, ...changed }, at, zone)

describe('a lead', () => {
  test('can be returned for exactly seven days, and then the refusal shows the client’s date', () => {
    const until = returnableUntil(assigned_at)
    expect(until.toISOString()).toBe('2026-11-30T03:30:00.000Z')
    expect(judge({}, until)).toBeUndefined()
    const after = new Date(until.getTime() + 1)
    expect(judge({}, after)).toBe('Return window closed on Nov 29, 2026')
    expect(judge({}, after, 'Europe/Berlin')).toBe('Return window closed on Nov 30, 2026')
    expect(judge({}, after, 'Nowhere/Land')).toBe('Return window closed on Nov 30, 2026')
  })

  test.each<[string, Partial<HeldLead>, string]>([
    ['asked for once', { has_request: true, price: '0.00' }, 'A return was already requested for this lead'],
    ['a test', { is_test: true }, 'A test lead costs nothing and cannot be returned'],
    ['free', { price: '0.00' }, 'This lead cost nothing and cannot be returned'],
    ['erased', { is_erased: true }, 'The person asked to be erased, so this lead can no longer be returned'],
  ])('that was %s cannot be returned, for that reason', (_what, changed, sentence) => {
    expect(judge(changed)).toBe(sentence)
  })
})

test.each([
  [{ leads: 19, returned: 19 }, false],
  [{ leads: 20, returned: 4 }, false],
  [{ leads: 20, returned: 5 }, true],
  [{ leads: 0, returned: 0 }, false],
])('with %o, the next return is held for review: %s', (counted, isHeld) => {
  expect(isReturnHeld(counted)).toBe(isHeld)
})

test('three reasons require a note of ten characters, and for the others a note is optional', () => {
  for (const reason of RETURN_REASONS) {
    const read = (note?: string | null) => returnRequestSchema.safeParse({ reason, note })
    const isNoted = NOTED_REASONS.includes(reason)
    for (const note of [undefined, null, '  ', 'too short', ' too short ']) {
      expect([reason, read(note).success]).toEqual([reason, !isNoted])
    }
    expect(read('ten chars!').data).toEqual({ reason, note: 'ten chars!', evidence: [] })
    expect(read('x'.repeat(1001)).success).toBe(false)
  }
  expect(NOTED_REASONS).toEqual(['wrong_number', 'did_not_request', 'false_information'])
  const { error } = returnRequestSchema.safeParse({ reason: 'wrong_number', note: 'no' })
  expect(error?.issues[0]?.path).toEqual(['note'])
})

test('an approval names the amount that was returned', () => {
  const approved = { status: 'approved', reason: 'language' } as const
  expect(describeReturn(approved, '$25.00')).toBe('Return approved. $25.00 added to your balance.')
  expect(describeReturn(approved, null)).toBe('Return approved. Nothing was left to pay back.')
  expect(describeReturn({ ...approved, reason: 'delivery_failed' }, '$25.00')).toBe(
    'Returned: delivery failed. $25.00 added to your balance.',
  )
})
