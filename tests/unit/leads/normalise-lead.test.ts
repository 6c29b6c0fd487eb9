import { describe, expect, test } from 'vitest'
import { normaliseBirthDate, normaliseTime } from '#core/domain/leads/normalise-date.ts'
import { readNames } from '#core/domain/leads/read-names.ts'
import { normalisePhone } from '#core/domain/leads/normalise-phone.ts'
import { normaliseZip } from '#core/domain/leads/normalise-zip.ts'
import { stateCode } from '#core/domain/leads/us-states.ts'

describe('a phone number', () => {
  test.each([
    ['(202) 555-0143', '+12025550143'],
    ['1-202-555-0143', '+12025550143'],
    ['+1 202.555.0143', '+12025550143'],
    ['2025550143', '+12025550143'],
    ['Cell: 202-555-0143', '+12025550143'],
    ['202-555-0143 (home)', '+12025550143'],
    ['011 44 20 7946 0958', '+442079460958'],
    ['+1\u202f202\u202f555\u202f0143', '+12025550143'],
    ['\u200e202\u200b555\ufe0d0143\u2069', '+12025550143'],
    ['２０２５５５０１４３', '+12025550143'],
    ['٢٠٢٥٥٥٠١٤٣', '+12025550143'],
    ['2025550143.0', '+12025550143'],
    ['202-555-0143x', '+12025550143'],
    ['+44 20 7946 0958', '+442079460958'],
    ['787-555-0143', '+17875550143'],
    ['+ 1 (202) 555-0143', '+12025550143'],
    ['Cell: + 44 20 7946 0958', '+442079460958'],
    ['+(1) 202 555 0143', '+12025550143'],
    ['+ (44) 20 7946 0958', '+442079460958'],
  ])('%s becomes %s', (text, phone) => {
    expect(normalisePhone(text)).toEqual({ ok: true, phone })
  })

  test.each([
    ['202-555-0143 x12', '12'],
    ['202-555-0143x61914', '61914'],
    ['(202) 555-0143 ext. 007', '007'],
    ['tel:+1-202-555-0143;ext=5', '5'],
    ['202-555-0143 #4 ask for Ana', '4'],
    ['202-555-0143 ext-7', '7'],
    ['202-555-0143 x - 7', '7'],
    ['202-555-0143 ext. # 7', '7'],
    ['202-555-0143 xtn 7', '7'],
    ['202-555-0143 Extensión: 7'.normalize('NFD'), '7'],
  ])('%s has the extension %s', (text, extension) => {
    expect(normalisePhone(text)).toEqual({ ok: true, phone: '+12025550143', extension })
  })

  test.each([
    '',
    '123',
    'a2025550143a',
    'x2025550143',
    '2025550143b',
    '+117755555555',
    '1 1 202 555 0143',
    '202-555-0143 or 202-555-0144',
    '202-555-0143 x - 202-555-0144',
    '+(1)+2025550143',
    '+1+2025550143',
    `202555014${'3'.repeat(100)}`,
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
    ['1958-03-14T00:00:00Z', '1958-03-14'],
    ['1958-03-14T23:30:00.000-08:00', '1958-03-14'],
    ['1958-03-14 00:00:00', '1958-03-14'],
    ['1958-03-14T00:00:00.0000000+00:00', '1958-03-14'],
    ['3/14/1958 12:00:00 AM', '1958-03-14'],
    ['3/14/1958, 12:00:00\u202fAM', '1958-03-14'],
  ])('%s is %s', (text, date) => {
    expect(normaliseBirthDate(text, '2026-11-21')).toBe(date)
  })

  test.each(['1958-02-30', '14/03/1958', '2026-11-22', '1879-12-31', '58-3-14', 'March 14', ''])(
    '%j is refused',
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
    ['2026-01-31 17:05:00.123456+00', '2026-01-31T17:05:00.123Z'],
    ['2026-01-31T17:05-05', '2026-01-31T22:05:00.000Z'],
    ['2026-01-31 17:05:00 UTC', '2026-01-31T17:05:00.000Z'],
    ['2026-01-31T17:05', '2026-01-31T17:05:00.000Z'],
    ['2026-01-31', '2026-01-31T00:00:00.000Z'],
  ])('%s is %s', (text, time) => {
    expect(normaliseTime(text)).toBe(time)
  })

  test.each(['yesterday', '2026-02-30T00:00:00Z', '2026-01-31T25:00:00Z', '1769878000', ''])(
    '%j is refused',
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
    [
      { name: 'Ana\u200b \u2060\u3164 Example' },
      { name: 'Ana\u200b \u2060\u3164 Example', first_name: 'Ana', last_name: 'Example' },
    ],
    [
      { name: 'Ana\u2800 \u2800\u0001Example' },
      { name: 'Ana\u2800 \u2800\u0001Example', first_name: 'Ana', last_name: 'Example' },
    ],
    [{ name: '❤️ Ana' }, { name: '❤️ Ana', first_name: '❤️', last_name: 'Ana' }],
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

  test('are missing if no field holds one', () => {
    expect(readNames({})).toBeUndefined()
  })
})

describe('a ZIP code', () => {
  test.each([
    ['2139', 'MA', '02139'],
    ['2139', undefined, '02139'],
    ['2139-1234', 'Massachusetts', '02139-1234'],
    ['901', 'PR', '00901'],
    ['501', 'NY', '00501'],
    ['7501', 'NJ', '07501'],
    ['90210.0', 'CA', '90210'],
    ['90210 1234', 'CA', '90210-1234'],
    ['90210 - 1234', 'CA', '90210-1234'],
    ['90210-', 'CA', '90210'],
    ['2139-', 'MA', '02139'],
    ['90210\u20111234', 'CA', '90210-1234'],
  ])('%s in %s is %s', (text, state, zip) => {
    expect(normaliseZip(text, 'US', state)).toBe(zip)
  })

  test.each([
    ['7501', 'TX'],
    ['2139', 'CT'],
    ['501', 'NJ'],
    ['123', undefined],
    ['12', 'MA'],
    ['902101', 'CA'],
    ['9021a', 'CA'],
  ])('%s in %s is refused', (text, state) => {
    expect(normaliseZip(text, 'US', state)).toBeUndefined()
  })

  test('of another country stays as it is', () => {
    expect(normaliseZip('K1A 0B1', 'CA', 'ON')).toBe('K1A 0B1')
  })
})

test.each([
  ['United States Virgin Islands', 'VI'],
  ['Virgin Islands, U.S.', 'VI'],
  ['D.C.', 'DC'],
  ['D. C.', 'DC'],
  ['U. S. Virgin Islands', 'VI'],
  ['Washington, D.C.', 'DC'],
  ['the district  of Columbia', 'DC'],
  ['Commonwealth of the Northern Mariana Islands', 'MP'],
  ['Commonwealth of Puerto Rico', 'PR'],
  ['N.Y.', 'NY'],
  ['Virgin Islands of the United States', 'VI'],
  ['The State of Texas', 'TX'],
  ['Hawaiʻi', 'HI'],
  ["Hawai'i", 'HI'],
  ['Hawaiʼi', 'HI'],
  ['Hawai`i', 'HI'],
  ['Hawai´i', 'HI'],
  ['US-CA', 'CA'],
  ['Armed Forces Europe, the Middle East, and Canada', 'AE'],
])('%s is the state %s', (text, code) => {
  expect(stateCode(text)).toBe(code)
})

test.each(['', 'ZZ', 'Virgin Islands, British', 'State of', 'Ontario', 'US', 'New'])(
  '%j is no state',
  (text) => {
    expect(stateCode(text)).toBeUndefined()
  },
)
