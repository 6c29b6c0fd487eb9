import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parseAsWritten } from '#core/contract/parse-as-written.ts'
import { readCustom } from '#core/contract/leads/read-custom.ts'
import { parseJson } from '#server/http/body/decode-body.ts'

const LIMITS = { deepest: 64, values: 10_000 }
const parse = (text: string, asWritten = true) => {
  const parsed = parseJson(text, asWritten ? { ...LIMITS, asWritten } : LIMITS)
  return parsed.ok ? parsed.value : parsed.fault
}

const digits = fc.stringMatching(/^-?(0|[1-9]\d{0,25})(\.\d{1,25})?([eE][+-]?\d{1,4})?$/)
const space = fc.stringMatching(/^[ \t\r\n]{0,2}$/)

test('JSON is read as by JSON.parse, except that digits are kept', () => {
  fc.assert(
    fc.property(fc.json({ stringUnit: 'binary' }), (text) => {
      const value: unknown = JSON.parse(text)
      expect(JSON.parse(JSON.stringify(parseAsWritten(text)))).toEqual(JSON.parse(JSON.stringify(value)))
      expect(parse(text, false)).toEqual(value)
    }),
  )
})

test('every number is written back unchanged, in every position', () => {
  fc.assert(
    fc.property(digits, space, (number, blank) => {
      for (const [text, written] of [
        [`${blank}${number}${blank}`, number],
        [`[${blank}1,${number}${blank}]`, `[1,${number}]`],
        [`{"a":${blank}"x:1.0",${blank}"b"${blank}:${number}${blank}}`, `{"a":"x:1.0","b":${number}}`],
      ] as const) {
        expect(JSON.stringify(parse(text))).toBe(written)
      }
    }),
    { numRuns: 1000 },
  )
})

describe('a repeated member', () => {
  test.each([
    ['{"a":1,"a":2,"a":[3]}', '{"a":[1,2,[3]]}'],
    ['{"b":{"c":"x","c":"x"},"a":"\\"c\\":"}', '{"b":{"c":["x","x"]},"a":"\\"c\\":"}'],
    ['[{"a":1},{"a":1}]', '[{"a":1},{"a":1}]'],
    ['{"\\u0061":1,"a":2}', '{"a":[1,2]}'],
    ['{"__proto__":1,"__proto__":{"x":2}}', '{"__proto__":[1,{"x":2}]}'],
    ['{"toString":1,"constructor":1.10}', '{"toString":1,"constructor":1.10}'],
  ])('keeps every value: %s', (text, kept) => {
    expect(JSON.stringify(parse(text))).toBe(kept)
    expect(({} as Record<string, unknown>)['x']).toBeUndefined()
  })

  test('keeps its last value by default, like JSON.parse', () => {
    expect(parse('{"a":1.10,"a":2.50}', false)).toEqual({ a: 2.5 })
  })
})

test.each(['{"a":01.0}', '{"a":1.}', '{"a":.5}', '[1.0,]', '{"a" 1.0}', '1.0.0', '{"a":-}', '[1.5'])(
  '%s is refused as JSON',
  (text) => {
    expect(parse(text)).toBe('not_json')
  },
)

test('custom numbers of a lead keep the digits that PostgreSQL wrote', () => {
  for (const json of ['{"a": 7.10}', '{"a": 7}', '{}', '{"a": "7.10", "b": 12345678901234567890}'])
    expect(JSON.stringify(readCustom(json))).toBe(json.replaceAll(': ', ':').replaceAll(', ', ','))
})
