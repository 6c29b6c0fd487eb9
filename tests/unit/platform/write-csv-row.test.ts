import { expect, test } from 'vitest'
import { writeCsvRow } from '#core/domain/write-csv-row.ts'

test.each([
  ['=cmd|" /C calc"!A0', `"'=cmd|"" /C calc""!A0"`],
  ['+1 202 555 0143', "'+1 202 555 0143"],
  ['-2+3', "'-2+3"],
  ['@SUM(A1)', "'@SUM(A1)"],
  ['\t=1', "'\t=1"],
  ['\r=1', `"'\r'=1"`],
  ['\n=1', `"'\n'=1"`],
  ['a;=1+1', "a;'=1+1"],
  ['a;b;@x', "a;b;'@x"],
  [';;+1 202 555 0143', ";;'+1 202 555 0143"],
  ['a;-5', 'a;-5'],
  ['a;"=1+1;"b', `"a;'""=1+1;""b"`],
  ["a;'=1", "a;''=1"],
  ['a\n=1+1;x', `"a\n'=1+1;x"`],
  ['a\r\n@x', `"a\r\n'@x"`],
  ['a; =1', 'a; =1'],
  ['＝1+1', "'＝1+1"],
  ["'=1", "''=1"],
])('writes %j so that it is no formula', (text, cell) => {
  expect(writeCsvRow([text])).toBe(`${cell}\r\n`)
})

test('keeps numbers as numbers, and empty cells empty', () => {
  expect(writeCsvRow(['-25.00', '25.00', '-7', null, ''])).toBe('-25.00,25.00,-7,,\r\n')
})

test('quotes commas, quotes, line breaks and spaces at an end', () => {
  expect(writeCsvRow(['a,b', 'say "hi"', 'two\nlines', ' x', 'plain'])).toBe(
    '"a,b","say ""hi""","two\nlines"," x",plain\r\n',
  )
})
