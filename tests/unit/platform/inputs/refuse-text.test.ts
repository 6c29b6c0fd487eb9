import { describe, expect, it } from 'vitest'
import { refuseText, refuseTexts } from '#core/domain/refuse-text.ts'

const NUL = 'Must not contain a NUL character'
const NOT_UTF8 = 'Must be UTF-8: it holds half of a character, or bytes of another encoding'

describe('a text', () => {
  it.each(['', 'Ana', 'José', '😀', 'שלום', 'a\u0301', '\ufffd', '\ufeff', '\n\t\u007f\u0085'])(
    'that is %j can be kept',
    (text) => {
      expect(refuseText(text)).toBeUndefined()
      expect(Buffer.from(text).toString()).toBe(text)
    },
  )

  it.each([
    ['\0', NUL],
    ['a\0b', NUL],
    ['\ud83d', NOT_UTF8],
    ['a\ude00', NOT_UTF8],
    ['\ude00\ud83d', NOT_UTF8],
  ])('that is %j cannot be kept', (text, reason) => {
    expect(refuseText(text)).toBe(reason)
  })
})

describe('the texts of an input', () => {
  it('are reported with their path, including names of members', () => {
    const given: unknown = JSON.parse(
      '{"a":["x",{"b":"\\u0000"}],"\\ud800":1,"__proto__":{"c":"\\udc00"},"n":null,"t":true,"d":1}',
    )
    expect(refuseTexts(given)).toEqual([
      { path: 'a.1.b', message: NUL },
      { path: '\ufffd', message: NOT_UTF8 },
      { path: '__proto__.c', message: NOT_UTF8 },
    ])
  })

  it('may be a single text, or none', () => {
    expect(refuseTexts('\0')).toEqual([{ path: '', message: NUL }])
    expect(refuseTexts('\0', 'name')).toEqual([{ path: 'name', message: NUL }])
    expect(refuseTexts(undefined)).toEqual([])
  })

  it('are reported up to a hundred', () => {
    expect(refuseTexts(Array.from({ length: 50_000 }, () => '\0'))).toHaveLength(100)
  })

  it('are reported briefly even if a long name is part of every path', () => {
    const long = 'n'.repeat(1_000_000)
    const faults = Object.fromEntries(Array.from({ length: 100 }, (_, index) => [`m${index}`, '\0']))
    for (const errors of [refuseTexts({ [long]: faults }), refuseTexts({ a: faults }, long)])
      expect(JSON.stringify(errors).length).toBeLessThan(50_000)
  })
})
