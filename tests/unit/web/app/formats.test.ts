import { describe, expect, it, test } from 'vitest'
import { countOf, formatShare } from '#web/format/count-of.ts'
import { formatReturn } from '#web/format/format-return.ts'
import { formatMoney } from '#web/format/money.ts'
import { formatPhone } from '#web/format/phone.ts'
import { providerName } from '#web/format/provider-name.ts'
import { relativeTime } from '#web/ui/show/format-time.ts'

describe('money', () => {
  it('has two decimals in US format (docs/product.md §9)', () => {
    expect(formatMoney('1234.50')).toBe('$1,234.50')
    expect(formatMoney('0.00')).toBe('$0.00')
    expect(formatMoney('-12.30')).toBe('-$12.30')
  })

  it('keeps cents that a float would round', () => {
    expect(formatMoney('90071992547409.93')).toBe('$90,071,992,547,409.93')
  })
})

test('a count has a plural noun', () => {
  expect([countOf(1, 'day'), countOf(2, 'day'), countOf(2, 'delivery'), countOf(0, 'lead')]).toEqual([
    '1 day',
    '2 days',
    '2 deliveries',
    '0 leads',
  ])
})

describe('a phone number', () => {
  it('is written in American form', () => {
    expect(formatPhone('+15550100199')).toBe('(555) 010-0199')
  })

  it('stays unchanged if it is not a US number', () => {
    expect(formatPhone('+442079460000')).toBe('+442079460000')
  })
})

test.each([
  [0, '0%'],
  [1, '< 1%'],
  [14, '7%'],
  [200, '100%'],
  // A worker holds no slot for an unrecorded answer, and a killed worker holds none at all.
  [300, '100%'],
])('%i of 200 is a share of %s', (part, share) => {
  expect(formatShare(part, 200)).toBe(share)
})

test.each([
  [null, '–'],
  [0.05, '< 0.1×'],
  [4.24, '4.2×'],
  [16.4, '16×'],
])('a return on spend of %s is shown as %s', (times, shown) => {
  expect(formatReturn(times)).toBe(shown)
})

test.each([
  ['google', 'Google'],
  ['azure', 'Microsoft'],
  ['acme-id', 'Acme id'],
  ['my_company--sso', 'My company sso'],
  ['sso:b5ae62f9-ef1d-4f11-a02b-731c8bbb11e8', 'Company sign-in'],
  ['web3', 'Wallet'],
  ['constructor', 'Constructor'],
])('the provider %s is called %s', (name, read) => {
  expect(providerName(name)).toBe(read)
})

describe('relative time', () => {
  const now = Date.parse('2026-11-21T12:00:00Z')

  it.each([
    ['2026-11-21T11:59:30Z', 'just now'],
    ['2026-11-21T11:57:00Z', '3 min. ago'],
    ['2026-11-21T10:00:00Z', '2 hr. ago'],
    ['2026-11-20T10:00:00Z', 'yesterday'],
    ['2026-11-21T12:00:20Z', 'in a moment'],
    ['2026-11-21T12:30:00Z', 'in 30 min.'],
  ])('describes %s as %s', (at, told) => {
    expect(relativeTime(at, now)).toBe(told)
  })
})
