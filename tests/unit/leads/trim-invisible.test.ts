import fc from 'fast-check'
import { expect, test } from 'vitest'
import { trimCode, trimText } from '#core/contract/trim-invisible.ts'

const INVISIBLE = [
  '\u0000',
  '\u0007',
  '\u0085',
  '\u00a0',
  '\u00ad',
  '\u034f',
  '\u061c',
  '\u115f',
  '\u1160',
  '\u17b4',
  '\u180e',
  '\u2000',
  '\u200b',
  '\u200e',
  '\u2028',
  '\u202e',
  '\u202f',
  '\u2060',
  '\u2064',
  '\u2069',
  '\u206f',
  '\u2800',
  '\u3000',
  '\u3164',
  '\ufeff',
  '\uffa0',
  '\ufff9',
  '\u{1d173}',
  '\u{e0001}',
]
const MODIFIERS = [
  '\u200c',
  '\u200d',
  '\ufe00',
  '\ufe0d',
  '\ufe0f',
  '\u180b',
  '\u{e0100}',
  '\u{e0067}',
  '\u{e007f}',
]
const nothing = fc
  .array(fc.constantFrom(...INVISIBLE, ...MODIFIERS, ' ', '\n'), { maxLength: 12 })
  .map((all) => all.join(''))
const visible = fc.constantFrom(
  'A',
  'é',
  'e\u0301',
  'ש',
  '電',
  '👩‍👩‍👧',
  '❤️',
  '🏴\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}',
  '\ud83d',
  '.',
  '~',
)
const name = fc
  .array(visible, { minLength: 1, maxLength: 6 })
  .chain((all) => nothing.map((between) => all.join(between)))

/** Returns the characters that are visible on a screen. */
const seen = (text: string) =>
  text.match(/[^\p{White_Space}\p{Default_Ignorable_Code_Point}\p{Cc}\u2800\ufff9]/gu)

test('invisible characters are removed from both ends, and visible ones are kept', () => {
  fc.assert(
    fc.property(nothing, name, nothing, (before, inside, after) => {
      const code = trimCode(`${before}${inside}${after}`)
      const text = trimText(`${before}${inside}${after}`)
      expect(seen(code)).toEqual(seen(inside))
      expect(text.startsWith(code)).toBe(true)
      expect(MODIFIERS.join('')).toContain(text.slice(code.length).at(0) ?? '')
      expect([trimCode(code), trimText(text)]).toEqual([code, text])
    }),
    { numRuns: 2000 },
  )
})

test('a text without visible characters is empty', () => {
  fc.assert(
    fc.property(nothing, (text) => {
      expect([trimCode(text), trimText(text)]).toEqual(['', ''])
    }),
  )
  for (const one of [...INVISIBLE, ...MODIFIERS]) expect(trimText(one)).toBe('')
})

test.each([
  ['\u200bAna\ufeff', 'Ana'],
  ['Ana ❤️ ', 'Ana ❤️'],
  [
    '🏴\u{e0067}\u{e0062}\u{e0073}\u{e0063}\u{e0074}\u{e007f}\u200b',
    '🏴\u{e0067}\u{e0062}\u{e0073}\u{e0063}\u{e0074}\u{e007f}',
  ],
  ['👩‍👩‍👧', '👩‍👩‍👧'],
  ['می\u200cخواهم', 'می\u200cخواهم'],
  ['\u2066שלום\u2069', 'שלום'],
  ['葛\u{e0100}', '葛\u{e0100}'],
  ['a\u200bb', 'a\u200bb'],
])('%j is %j', (text, trimmed) => {
  expect(trimText(text)).toBe(trimmed)
})

test('a megabyte of spaces around a word is trimmed in linear time', () => {
  const spaces = ' \u200b'.repeat(250_000)
  expect(trimText(`${spaces}a${spaces}b${spaces}`)).toBe(`a${spaces}b`)
})
