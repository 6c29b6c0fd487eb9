import { describe, expect, test } from 'vitest'
import { AUDIT_WORDS, describeAudited, readAuditDetails } from '#core/domain/accounts/audit-words.ts'
import { maskPersonal, maskText, nameMasked } from '#core/domain/accounts/mask-personal.ts'

test.each([
  ['Call of rosa@example.com today', 'Call of r•••@example.com today'],
  ['Rosa@Mail.Example.com, ada@example.org', 'R•••@Mail.Example.com, a•••@example.org'],
  ['By phone, (202) 555-0143', 'By phone, •••43'],
  ['+1 202 555 0143 and 2025550199', '•••43 and •••99'],
  ['+44 20 7946 0958.', '•••58.'],
])('masks addresses and phones in “%s”', (text, masked) => {
  expect(maskText(text)).toBe(masked)
})

test.each([
  '01a22816-eb6c-70cd-a8d0-088ed714e33b',
  '00000000-0000-4000-8000-000000000000',
  '2026-11-29T16:08:50.123456Z',
  '2026-11-29',
  '1250000000.00',
  '192.168.100.200',
  'ZIP 93701, 1,250 leads',
  'lw_src_12345678901',
])('leaves %s as it is', (text) => {
  expect(maskText(text)).toBe(text)
})

test('masks texts at any depth, and leaves numbers and names of members', () => {
  const details = {
    before: { email: 'rosa@example.com', list: ['2025550143', 7] },
    count: 2_025_550_143,
    none: null,
  }
  expect(maskPersonal(details)).toEqual({
    before: { email: 'r•••@example.com', list: ['•••43', 7] },
    count: 2_025_550_143,
    none: null,
  })
})

describe('a person is named', () => {
  const person = { name: 'Rosa Example', email: 'rosa@example.com', business_name: null }
  test.each([
    [{ ...person, business_name: 'Rosa Agency' }, 'Rosa Agency'],
    [person, 'Rosa Example'],
    [{ ...person, name: 'rosa' }, 'r•••@example.com'],
    [{ ...person, name: 'rosa@example.com' }, 'r•••@example.com'],
    [{ name: null, email: null, business_name: null }, null],
  ])('%j as %s', (given, name) => {
    expect(nameMasked(given)).toBe(name)
  })
})

test('an action reads as the rest of a sentence, also one that this version does not know', () => {
  expect(describeAudited('client_approved')).toBe('approved the client')
  expect(describeAudited('lead_polished')).toBe('lead polished')
  expect(describeAudited('constructor')).toBe('constructor')
  expect(Object.values(AUDIT_WORDS).filter((words) => !/^[a-z].*[^.]$/.test(words))).toEqual([])
})

test('details are split into what changed, the reason and the rest', () => {
  const details = {
    before: { status: 'onboarding', states: ['CA', 'TX'], same: 1 },
    after: { status: 'active', states: ['CA'], same: 1 },
    note: 'Licence seen',
    lead_id: 'x',
    kind: 'top_up',
    nothing: null,
  }
  expect(readAuditDetails(details)).toEqual({
    changes: [
      { field: 'status', before: 'onboarding', after: 'active' },
      { field: 'states', before: 'CA, TX', after: 'CA' },
    ],
    note: 'Licence seen',
    rest: 'lead id: x, kind: top up',
  })
  expect(readAuditDetails({ before: 'a', after: 'b' }).changes).toEqual([
    { field: 'value', before: 'a', after: 'b' },
  ])
})
