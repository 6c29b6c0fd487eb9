import { describe, expect, test } from 'vitest'
import { normaliseBirthDate, normaliseTime } from '#core/domain/leads/normalise-date.ts'
import { readNames } from '#core/domain/leads/normalise-lead.ts'
import { normalisePhone } from '#core/domain/leads/normalise-phone.ts'
import { gatherFlat } from '#core/domain/leads/gather-custom.ts'

describe('a phone number', () => {
  test.each([
    ['(202) 555-0143', '+12025550143'],
    ['1-202-555-0143', '+12025550143'],
    ['+1 202.555.0143', '+12025550143'],
    ['2025550143', '+12025550143'],
    ['202-555-0143 x12', '+12025550143'],
    ['+44 20 7946 0958', '+442079460958'],
    ['787-555-0143', '+17875550143'],
  ])('%s becomes %s', (text, phone) => {
    expect(normalisePhone(text)).toEqual({ ok: true, phone })
  })

  test.each([
    '',
    '123',
    '555-0143',
    '102-555-0143',
    '202-155-0143',
    '911-555-0143',
    '202-911-0143',
    '2222222222',
    '800-555-0143',
    '833 555 0143',
    '888-555-0143',
    '+44 20',
    'call me',
    '20255501433',
    '+999 123456789',
  ])('%j is refused', (text) => {
    expect(normalisePhone(text).ok).toBe(false)
  })
})

describe('a date of birth', () => {
  test.each([
    ['1958-03-14', '1958-03-14'],
    ['03/14/1958', '1958-03-14'],
    ['3/4/1958', '1958-03-04'],
    ['2026-11-21', '2026-11-21'],
  ])('%s is %s', (text, date) => {
    expect(normaliseBirthDate(text, '2026-11-21')).toBe(date)
  })

  test.each(['1958-02-30', '14/03/1958', '2026-11-22', '1879-12-31', '58-3-14', 'March 14', ''])(
    '%j is none',
    (text) => {
      expect(normaliseBirthDate(text, '2026-11-21')).toBeUndefined()
    },
  )
})

describe('a time', () => {
  test.each([
    ['2026-01-31T17:05:00Z', '2026-01-31T17:05:00.000Z'],
    ['2026-01-31T17:05:00-05:00', '2026-01-31T22:05:00.000Z'],
    ['2026-01-31 17:05:00+0530', '2026-01-31T11:35:00.000Z'],
    ['2026-01-31T17:05', '2026-01-31T17:05:00.000Z'],
    ['2026-01-31', '2026-01-31T00:00:00.000Z'],
  ])('%s is %s', (text, time) => {
    expect(normaliseTime(text)).toBe(time)
  })

  test.each(['yesterday', '2026-02-30T00:00:00Z', '2026-01-31T25:00:00Z', '1769878000', ''])(
    '%j is none',
    (text) => {
      expect(normaliseTime(text)).toBeUndefined()
    },
  )
})

describe('names', () => {
  test.each([
    [
      { name: 'Ana Maria Example' },
      { name: 'Ana Maria Example', first_name: 'Ana', last_name: 'Maria Example' },
    ],
    [{ name: 'Ana' }, { name: 'Ana', first_name: 'Ana', last_name: null }],
    [
      { first_name: 'Ana', last_name: 'Example' },
      { name: 'Ana Example', first_name: 'Ana', last_name: 'Example' },
    ],
    [{ last_name: 'Example' }, { name: 'Example', first_name: null, last_name: 'Example' }],
    [
      { name: 'A. Example', first_name: 'Ana' },
      { name: 'A. Example', first_name: 'Ana', last_name: null },
    ],
  ])('of %j are complete', (given, names) => {
    expect(readNames(given)).toEqual(names)
  })

  test('of nobody are none', () => {
    expect(readNames({})).toBeUndefined()
  })
})

describe('custom fields', () => {
  const limits = { keys: 3, bytes: 60 }

  test('are gathered from the member and from loose fields', () => {
    const loose = [{ path: 'plan', key: 'plan', value: 'gold' }]
    expect(gatherFlat('custom', { age: 60, ok: true, none: null }, [], limits).values).toEqual({
      age: 60,
      ok: true,
      none: null,
    })
    expect(gatherFlat('custom', undefined, loose, limits)).toEqual({ values: { plan: 'gold' }, errors: [] })
  })

  test.each([
    ['a list', [1], [], 'custom'],
    ['a nested value', { a: {} }, [], 'custom.a'],
    ['too many', { a: 1, b: 2, c: 3, d: 4 }, [], 'custom'],
    ['too much', { a: 'é'.repeat(40) }, [], 'custom'],
    ['a name with a space', {}, [{ path: 'best time', key: 'best time', value: 'x' }], 'best time'],
    ['the same twice', { a: 1 }, [{ path: 'a', key: 'a', value: 2 }], 'a'],
  ])('that are %s are refused', (_what, given, loose, path) => {
    expect(gatherFlat('custom', given, loose, limits).errors.map((error) => error.path)).toEqual([path])
  })
})
