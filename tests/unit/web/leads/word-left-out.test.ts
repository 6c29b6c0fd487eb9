import { expect, test } from 'vitest'
import { keepDigits } from '#web/api/keep-digits.ts'
import { wordLeftOut } from '#web/leads/word-left-out.ts'

test.each([
  [['_x'], 0, 'without “_x”'],
  [['电话', 'big'], 0, 'without “电话”, “big”'],
  [['a', 'b'], 3, 'without “a”, “b”, 3 more'],
  [['', 'a'], 0, 'without all beyond the first 1,000 fields, “a”'],
])('a lead that lacks %j and %d more values says so', (names, more, words) => {
  expect(wordLeftOut({ left_out: names, left_out_more: more })).toBe(words)
})

test('a number is shown as it was written if its value alone would lose something', () => {
  expect(JSON.parse('{"a":7.10,"b":7.1,"c":[2500.00,3,"1.0"],"d":null}', keepDigits)).toEqual({
    a: '7.10',
    b: 7.1,
    c: ['2500.00', 3, '1.0'],
    d: null,
  })
})
