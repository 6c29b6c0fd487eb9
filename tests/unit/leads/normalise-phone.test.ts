import fc from 'fast-check'
import { parsePhoneNumberFromString } from 'libphonenumber-js'
import { expect, test } from 'vitest'
import { normalisePhone } from '#core/domain/leads/normalise-phone.ts'

test.each(['\u2800', '\u0085', '\u2028', '\ufff9', '\u001f', '\u00ad', '\u180e'])(
  'an invisible character inside a phone is skipped: %j',
  (invisible) => {
    const [phone, words] = [`202${invisible}555${invisible}0143`, `Cell: ${invisible}202${invisible}5550143`]
    expect(normalisePhone(phone)).toMatchObject({ phone: '+12025550143' })
    expect(normalisePhone(words)).toMatchObject({ phone: '+12025550143' })
  },
)

test('every accepted phone is valid in its numbering plan, and has the digits that were sent', () => {
  const piece = fc.constantFrom(
    ...'0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9'.split(' '),
    '+',
    '1',
    '-',
    '(',
    ')',
    ' ',
    '.',
    '/',
    'x',
    'a',
    '#',
    ',',
    '\u200b',
    '０',
    '٣',
  )
  const near = fc.stringMatching(
    /^\+?1?[ -]?\(?[2-9]\d\d\)?[ .-]?[2-9]\d\d[ .-]?\d{4}( ?(x|ext\.?) ?\d{1,6})?$/,
  )
  const text = fc.oneof(
    fc.array(piece, { maxLength: 24 }).map((all) => all.join('')),
    near,
  )
  fc.assert(
    fc.property(text, (sent) => {
      const reading = normalisePhone(sent)
      if (!reading.ok) return
      const { phone, extension = '' } = reading
      const digits = Array.from(sent.normalize('NFKC').replaceAll('٣', '3'))
        .filter((one) => /\d/.test(one))
        .join('')
      expect(
        digits.replace(/\.0+$/, '').endsWith(`${phone.slice(2)}${extension}`) || !phone.startsWith('+1'),
      ).toBe(true)
      if (phone.startsWith('+1')) expect(phone).toMatch(/^\+1[2-9](?!11)\d\d[2-9](?!11)\d{6}$/)
      else expect(parsePhoneNumberFromString(phone)?.isValid()).toBe(true)
    }),
    { numRuns: 5000 },
  )
})
