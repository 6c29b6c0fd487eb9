import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { matchesFilter, parseRowFilter } from '#core/domain/realtime/row-filter.ts'
import type { RowTable } from '#core/contract/rows/row-tables.ts'

const ID = '0193a7c2-1f00-7000-8000-00000000000a'
const LEAD = {
  id: ID,
  name: 'Smith, "Jo"',
  state: 'CA',
  status: 'new',
  deal_size: 25.5,
  is_test: false,
  assigned_to: null,
  created_at: '2026-11-29T22:00:00.123456+00:00',
}

function matches(text: string, row: Record<string, unknown> = LEAD, table: RowTable = 'leads'): boolean {
  const parsed = parseRowFilter(table, text)
  if (!parsed.ok) throw new Error(parsed.reason)
  return matchesFilter(parsed.filter, row)
}

describe('a filter', () => {
  test.each([
    ['state=eq.CA', true],
    ['state=eq.TX', false],
    ['state=neq.TX', true],
    ['deal_size=gt.25', true],
    ['deal_size=lte.25.50', true],
    ['deal_size=lt.9', false],
    ['deal_size=gte.100', false],
    ['status=in.(assigned, new)', true],
    ['status=in.(assigned)', false],
    ['deal_size=in.(25.5,3)', true],
    ['is_test=eq.false', true],
    ['is_test=eq.t', false],
    [`id=eq.${ID.toUpperCase()}`, true],
    ['name=eq."Smith, \\"Jo\\""', true],
    ['name=in.("Smith, \\"Jo\\"",x)', true],
    ['created_at=gt.2026-11-29T23:00:00.123455%2B01:00'.replace('%2B', '+'), true],
    ['created_at=eq.2026-11-29 22:00:00.123456', true],
    ['created_at=lt.2026-11-29', false],
    ['state=eq.CA,deal_size=gt.20', true],
    ['state=eq.CA,deal_size=gt.30', false],
  ])('%s is %s', (text, expected) => {
    expect(matches(text)).toBe(expected)
  })

  test('holds for null never, as in SQL', () => {
    for (const operator of ['eq', 'neq', 'lt', 'gt'])
      expect(matches(`assigned_to=${operator}.${ID}`)).toBe(false)
  })

  test('judges a deletion by the keys of the row, and nothing else', () => {
    expect(matches(`id=eq.${ID}`, { id: ID })).toBe(true)
    expect(matches(`id=neq.${ID}`, { id: ID })).toBe(false)
    expect(matches('state=eq.TX', { id: ID })).toBe(true)
  })

  test.each([
    '',
    'state',
    'state=CA',
    'state=eq',
    'state=like.C*',
    'state=not.eq.CA',
    'secret=eq.1',
    '__proto__=eq.1',
    'toString=eq.1',
    'deal_size=eq.ten',
    'deal_size=eq.1e3',
    'is_test=eq.maybe',
    'id=eq.1',
    'created_at=gt.yesterday',
    'created_at=gt.2026-02-30',
    'status=in.new',
    'status=in.(new',
    'status=in.(new))',
    'name=eq."Jo"nes',
    'state=eq.CA,',
    `state=in.(${Array.from({ length: 101 }, () => 'CA').join(',')})`,
    Array.from({ length: 11 }, () => 'state=eq.CA').join(','),
    `state=eq.${'x'.repeat(8000)}`,
  ])('refuses %s with a reason', (text) => {
    const parsed = parseRowFilter('leads', text)
    expect(parsed.ok ? '' : parsed.reason).toMatch(/\w/)
  })

  test('refuses columns of JSON, which have no order', () => {
    expect(parseRowFilter('client_webhook_configs', 'custom_headers=eq.{}')).toMatchObject({ ok: false })
  })
})

test('any text that is quoted is found again, and only that', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.string(), (value, other) => {
      const quoted = `"${value.replaceAll(/["\\]/g, String.raw`\$&`)}"`
      for (const filter of [
        `name=eq.${quoted}`,
        `name=in.(a-list,${quoted} )`,
        `state=eq.CA,name=eq.${quoted}`,
      ]) {
        expect(matches(filter, { ...LEAD, name: value })).toBe(true)
        const isSame = other === value || (filter.includes('a-list') && other === 'a-list')
        expect(matches(filter, { ...LEAD, name: other })).toBe(isSame)
      }
    }),
  )
})

test('numbers and times compare as such', () => {
  const cents = fc.integer({ min: -1e9, max: 1e9 })
  const seconds = fc.integer({ min: 0, max: 4e9 })
  const order = (own: number, asked: number) => ({
    eq: own === asked,
    neq: own !== asked,
    lt: own < asked,
    lte: own <= asked,
    gt: own > asked,
    gte: own >= asked,
  })
  fc.assert(
    fc.property(cents, cents, seconds, seconds, (own, asked, then, when) => {
      for (const [operator, expected] of Object.entries(order(own, asked)))
        expect(matches(`deal_size=${operator}.${asked / 100}`, { deal_size: own / 100 })).toBe(expected)
      const text = (second: number) => new Date(second * 1000).toISOString()
      for (const [operator, expected] of Object.entries(order(then, when)))
        expect(matches(`created_at=${operator}.${text(when)}`, { created_at: text(then) })).toBe(expected)
    }),
  )
})

test('no text makes it fail or take long', () => {
  const piece = fc.constantFrom(
    'state',
    '=',
    'eq.',
    'in.(',
    ')',
    ',',
    '"',
    '\\',
    'not.',
    'name',
    ' ',
    '1',
    '\u{1f600}',
  )
  const text = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.array(piece, { maxLength: 60 }).map((some) => some.join('')),
  )
  fc.assert(
    fc.property(text, (given) => {
      const parsed = parseRowFilter('leads', given)
      if (parsed.ok) expect(typeof matchesFilter(parsed.filter, LEAD)).toBe('boolean')
    }),
    { numRuns: 2000 },
  )
  const began = performance.now()
  for (const hostile of ['"', '(', ',', 'state=in.("', 'state=in.(",', 'state=eq."\\'])
    parseRowFilter('leads', `state=in.(${hostile.repeat(2000)}`.slice(0, 8000))
  expect(performance.now() - began).toBeLessThan(500)
})
