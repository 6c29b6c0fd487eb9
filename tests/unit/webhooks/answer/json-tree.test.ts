import { describe, expect, it } from 'vitest'
import {
  JsonSyntaxError,
  parseJsonTree,
  readElements,
  readMember,
  writeJsonTree,
} from '#core/domain/webhooks/template/json-tree.ts'
import { startThreadClock } from '#tests/support/thread-time.ts'

const VALID = [
  '{}',
  '[]',
  ' \t\r\n{ } \n',
  'null',
  'true',
  '""',
  '0',
  '-0',
  '-0.0e-0',
  '1.0',
  '1E400',
  '1e+9',
  '123456789012345678901234567890',
  '0.1000',
  '"\\u0000\\b\\f\\n\\r\\t\\"\\\\\\/"',
  '"\\uD83D\\uDE00"',
  '"\\ud800"',
  '"\\uDC00x"',
  '"\ud800"',
  '"\u2028\u2029\u007f"',
  '"😀"',
  '{"b":1,"a":2}',
  '{"10":1,"9":2,"1":3}',
  '{"a":1,"a":2}',
  '{"__proto__":{"x":1},"constructor":null}',
  '{"":{"":[]}}',
  '[1,[2,[3,{"a":[]}]]]',
  '{"\\u0061":1}',
]

const INVALID = [
  '',
  ' ',
  '{',
  '}',
  '[',
  ']',
  '[1,]',
  '[,1]',
  '[1 2]',
  '{"a":1,}',
  '{,}',
  '{"a"}',
  '{"a":}',
  '{"a":1 "b":2}',
  '{a:1}',
  "{'a':1}",
  '{"a":1}}',
  '{} x',
  '01',
  '+1',
  '1.',
  '.5',
  '1e',
  '1e+',
  '--1',
  '- 1',
  '0x10',
  'NaN',
  'Infinity',
  'undefined',
  'True',
  'nul',
  'nulll',
  'truefalse',
  '1true',
  '"a',
  '"\\"',
  '"\\x41"',
  '"\\u12"',
  '"\\u12G4"',
  '"\\a"',
  '"a\nb"',
  '"a\tb"',
  '"\u0000"',
  '// c\n1',
  '/* c */1',
  '\ufeff{}',
  '\u00a01',
  '\u2028[]',
  '\v1',
  '{"a":1;"b":2}',
  '"a" "b"',
]

const accepts = (read: (text: string) => unknown, text: string): boolean => {
  try {
    read(text)
    return true
  } catch (error) {
    if (error instanceof JsonSyntaxError || error instanceof SyntaxError) return false
    throw error
  }
}

/** A small seeded generator, so that a failure can be repeated. */
function seeded(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return state / 2 ** 32
  }
}

const TOKENS = [
  ...'{}[]:,"\\ \n\t0123456789-+.eEu'.split(''),
  'true',
  'false',
  'null',
  '"a"',
  '"\\n"',
  '\\u00e9',
  'é',
  '😀',
]

describe('parseJsonTree', () => {
  it.each(VALID)('accepts %j', (text) => {
    expect(accepts(JSON.parse, text)).toBe(true)
    const written = writeJsonTree(parseJsonTree(text))
    expect(JSON.parse(written)).toEqual(JSON.parse(text))
    expect(writeJsonTree(parseJsonTree(written))).toBe(written)
  })

  it.each(INVALID)('refuses %j', (text) => {
    expect(accepts(JSON.parse, text)).toBe(false)
    expect(accepts(parseJsonTree, text)).toBe(false)
  })

  it('agrees with JSON.parse on random and damaged texts', () => {
    const random = seeded(20260131)
    const pick = (): string => TOKENS[Math.floor(random() * TOKENS.length)] ?? ''
    const made = Array.from({ length: 3000 }, () =>
      Array.from({ length: 1 + Math.floor(random() * 7) }, pick).join(''),
    )
    const damaged = Array.from({ length: 3000 }, () => {
      const text = VALID[Math.floor(random() * VALID.length)] ?? ''
      const at = Math.floor(random() * (text.length + 1))
      return text.slice(0, at) + (random() < 0.5 ? pick() : '') + text.slice(at + Math.floor(random() * 2))
    })
    const texts = [...made, ...damaged]
    expect(texts.filter((text) => accepts(parseJsonTree, text) !== accepts(JSON.parse, text))).toEqual([])
    // The comparison means something only if both results occur.
    const valid = texts.filter((text) => accepts(JSON.parse, text)).length
    expect(valid).toBeGreaterThan(200)
    expect(texts.length - valid).toBeGreaterThan(200)
  })

  it.each([
    ['[1, 2', 5],
    ['{"a":1,}', 7],
    ['{} x', 3],
    ['[1, nope]', 4],
    ['{"a" 1}', 5],
  ])('finds the place where %j stops being JSON', (text, offset) => {
    expect(() => parseJsonTree(text)).toThrow(expect.objectContaining({ name: 'JsonSyntaxError', offset }))
  })

  it('accepts 64 levels and refuses the 65th, however deep the text is', () => {
    const nested = (levels: number): string => `${'['.repeat(levels)}1${']'.repeat(levels)}`
    expect(writeJsonTree(parseJsonTree(nested(64)))).toBe(nested(64))
    expect(() => parseJsonTree(nested(65))).toThrow(/deeper than 64/)
    expect(() => parseJsonTree('['.repeat(1_000_000))).toThrow(/deeper than 64/)
    expect(() => parseJsonTree('{"a":'.repeat(1_000_000))).toThrow(/deeper than 64/)
  })

  it.each([
    ['plain characters', 'a'.repeat(2_000_000)],
    ['escapes', '\\n'.repeat(1_000_000)],
    ['both', 'ab\\u00e9'.repeat(300_000)],
  ])('reads a string of megabytes of %s quickly, closed or not', (_what, inside) => {
    const spent = startThreadClock()
    expect(writeJsonTree(parseJsonTree(`"${inside}"`))).toBe(JSON.stringify(JSON.parse(`"${inside}"`)))
    expect(() => parseJsonTree(`"${inside}`)).toThrow(JsonSyntaxError)
    expect(spent()).toBeLessThan(2000)
  })
})

describe('writeJsonTree', () => {
  it.each(VALID.filter((text) => text.isWellFormed() && !/\s|\\[u/]/.test(text)))(
    'writes compact %j unchanged',
    (text) => {
      expect(writeJsonTree(parseJsonTree(text))).toBe(text)
    },
  )

  it('keeps the order of keys, repeated keys and the text of numbers', () => {
    const text = '{"10":1.0,"9":1E400,"b":-0,"a":12345678901234567890,"a":[],"__proto__":{}}'
    expect(writeJsonTree(parseJsonTree(text))).toBe(text)
  })

  it('writes what JSON.stringify writes with the same indent', () => {
    const text = '{"a":[1,{"b":[]},{}],"c":{"d":"e"},"f":[]}'
    expect(writeJsonTree(parseJsonTree(text), 2)).toBe(JSON.stringify(JSON.parse(text), null, 2))
  })
})

describe('readMember', () => {
  it.each([
    ['{"a": { "10":1, "9" : 2.0 } , "b":1}', 'a', '{ "10":1, "9" : 2.0 }'],
    [' { "a" : "x" } ', 'a', '"x"'],
    ['{"a":1,"a":2}', 'a', '2'],
    ['{"\\u0061":1}', 'a', '1'],
    ['{"__proto__":1}', '__proto__', '1'],
    ['{"b":{"a":1}}', 'a', undefined],
    ['{}', 'a', undefined],
    ['[{"a":1}]', 'a', undefined],
    ['"a"', 'a', undefined],
    ['null', 'a', undefined],
  ])('reads in %j the member %s as %j', (text, key, value) => {
    expect(readMember(text, key)).toBe(value)
  })

  it.each(['', '{', '{"a":1', '{"a":1} x', '{"a":1}{"a":2}', '[1,]', 'nope'])(
    'refuses %j, which is not JSON',
    (text) => {
      expect(() => readMember(text, 'a')).toThrow(JsonSyntaxError)
    },
  )
})

describe('readElements', () => {
  it.each([
    ['[]', []],
    [' [ 1.50 , {"b":1, "a":[2,3]},"x,]" ] ', ['1.50', '{"b":1, "a":[2,3]}', '"x,]"']],
    ['[[],null]', ['[]', 'null']],
  ])('reads the elements of %j as they are written', (text, elements) => {
    expect(readElements(text)).toEqual(elements)
  })

  it.each(['', '{}', '[1', '[1,]', '[1] x', '"[]"'])('refuses %j, which is no JSON array', (text) => {
    expect(() => readElements(text)).toThrow(JsonSyntaxError)
  })
})
