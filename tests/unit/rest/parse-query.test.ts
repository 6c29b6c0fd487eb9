import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { COMPARISONS, ROW_TESTS, type RowCondition } from '#core/data/rows/row-query.ts'
import { DEEPEST, MOST_CONDITIONS } from '#server/rest/parse/parse-filter.ts'
import { parseQuery } from '#server/rest/parse/parse-query.ts'
import { RestError } from '#server/rest/rest-error.ts'

/** A name that needs quotes, or not. */
const name = fc.oneof(
  fc.constantFrom('id', 'name', 'created_at', 'webhook_config_id'),
  fc.string({ minLength: 1, maxLength: 8, unit: fc.constantFrom(...Array.from('ab_"\\.,() :-')) }),
)
/** Texts with everything that means something to the parser. */
const value = fc.string({ maxLength: 12, unit: fc.constantFrom(...Array.from('ab1%*",()\\. :-é')) })

const quoted = (text: string) => `"${text.replaceAll(/["\\]/g, String.raw`\$&`)}"`

const leaf: fc.Arbitrary<RowCondition> = fc.oneof(
  fc.record({
    kind: fc.constant('compare' as const),
    column: name,
    operator: fc.constantFrom(...COMPARISONS),
    value,
  }),
  fc.record({
    kind: fc.constant('in' as const),
    column: name,
    values: fc.array(value, { minLength: 1, maxLength: 4 }),
  }),
  fc.record({ kind: fc.constant('is' as const), column: name, test: fc.constantFrom(...ROW_TESTS) }),
)
const { tree } = fc.letrec<{ tree: RowCondition }>((tie) => ({
  tree: fc.oneof(
    { maxDepth: 4 },
    leaf,
    fc.record({
      kind: fc.constantFrom('and' as const, 'or' as const),
      of: fc.array(tie('tree'), { minLength: 1, maxLength: 3 }),
    }),
    fc.record({ kind: fc.constant('not' as const), of: tie('tree').filter(({ kind }) => kind !== 'not') }),
  ),
}))

/** Writes a condition as the client library does within `or=(…)`. */
function write(condition: RowCondition, isTurned = false): string {
  const not = isTurned ? 'not.' : ''
  switch (condition.kind) {
    case 'not':
      return write(condition.of, true)
    case 'and':
    case 'or':
      return `${not}${condition.kind}(${condition.of.map((one) => write(one)).join(',')})`
    case 'in':
      return `${quoted(condition.column)}.${not}in.(${condition.values.map(quoted).join(',')})`
    case 'is':
      return `${quoted(condition.column)}.${not}is.${condition.test}`
    case 'compare':
      return `${quoted(condition.column)}.${not}${condition.operator}.${quoted(condition.value)}`
  }
}

/** Parses, and returns what was refused. @throws for any other error */
function refuse(fields: Record<string, string | string[]>): RestError | undefined {
  try {
    parseQuery(fields)
    return undefined
  } catch (error) {
    if (error instanceof RestError) return error
    throw error
  }
}

test('a tree of conditions is read as it was written', () => {
  fc.assert(
    fc.property(fc.array(tree, { minLength: 1, maxLength: 3 }), (of) => {
      expect(parseQuery({ or: `(${of.map((one) => write(one)).join(',')})` }).where).toEqual([
        { kind: 'or', of },
      ])
    }),
  )
})

test('the value of a filter is all that follows its operator', () => {
  fc.assert(
    fc.property(fc.string(), fc.constantFrom(...COMPARISONS), (text, operator) => {
      expect(parseQuery({ name: `${operator}.${text}` }).where).toEqual([
        { kind: 'compare', column: 'name', operator, value: text },
      ])
    }),
  )
})

test('any text in any place is read, or refused with a status below 500', () => {
  const field = fc.constantFrom(
    'select',
    'order',
    'limit',
    'offset',
    'columns',
    'or',
    'not.and',
    'id',
    'a.b',
    '"',
    '',
  )
  const text = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 30 }),
    fc.string({
      maxLength: 30,
      unit: fc.constantFrom(
        '(',
        ')',
        ',',
        '.',
        '"',
        '\\',
        'or',
        'and',
        'not',
        'eq',
        'in',
        'a',
        ' ',
        '*',
        '->',
        ':',
        '!',
      ),
    }),
  )
  fc.assert(
    fc.property(fc.dictionary(field, text, { maxKeys: 4 }), (fields) => {
      const refusal = refuse(fields)
      if (refusal !== undefined) {
        expect(refusal.status).toBeLessThan(500)
        expect(refusal.message.length).toBeLessThan(400)
      }
    }),
    { numRuns: 300 },
  )
})

describe('a query that would cost too much is refused at once', () => {
  test.each([
    ['nested or', 'or', `${'(or'.repeat(100_000)}(id.eq.1${')'.repeat(100_001)}`],
    ['nested and that never end', 'and', '(and'.repeat(100_000)],
    ['nested not', 'or', `(${'not.and('.repeat(50_000)}`],
    ['many conditions', 'or', `(${'id.eq.1,'.repeat(100_000)}id.eq.1)`],
    ['many values', 'id', `in.(${'1,'.repeat(100_000)}1)`],
    ['many quotes', 'id', `in.(${'"a,'.repeat(100_000)}1)`],
    ['many escapes', 'id', `in.(${String.raw`"\",`.repeat(100_000)}1)`],
    ['many columns', 'select', 'id,'.repeat(100_000)],
    ['many orders', 'order', 'id,'.repeat(100_000)],
    ['nested embeds', 'select', 'leads('.repeat(100_000)],
    ['a long name', 'select', 'a '.repeat(200_000)],
  ])('%s', (_what, field, text) => {
    const began = performance.now()
    const refusal = refuse({ [field]: text })
    if (field !== 'select' || !text.startsWith('a ')) expect(refusal?.status).toBe(400)
    expect(performance.now() - began).toBeLessThan(500)
  })

  test(`at ${DEEPEST + 1} levels, and with ${MOST_CONDITIONS + 1} filters`, () => {
    const nested = (levels: number) => `${'(or'.repeat(levels - 1)}(id.eq.1)${')'.repeat(levels - 1)}`
    expect(refuse({ or: nested(DEEPEST) })).toBeUndefined()
    expect(refuse({ or: nested(DEEPEST + 1) })?.code).toBe('PGRST100')
    const filters = (count: number) => ({ id: Array.from({ length: count }, () => 'eq.1') })
    expect(refuse(filters(MOST_CONDITIONS))).toBeUndefined()
    expect(refuse(filters(MOST_CONDITIONS + 1))?.code).toBe('PGRST100')
  })
})

describe('it reads as PostgREST does', () => {
  const where = (field: string, text: string) => parseQuery({ [field]: text }).where
  test.each([
    ['in.(a,b)', ['a', 'b']],
    ['in.("a,b","c)d")', ['a,b', 'c)d']],
    ['in.()', []],
    ['in.( )', []],
    ['in.( ,3)', [' ', '3']],
    ['in.(,)', ['', '']],
    [String.raw`in.("a\"b","c\\d")`, ['a"b', String.raw`c\d`]],
    ['in.(e"f)', ['e"f']],
    ['in.("a,b"c)', ['"a', 'b"c']],
  ])('the list %s', (text, values) => {
    expect(where('name', text)).toEqual([{ kind: 'in', column: 'name', values }])
  })

  test.each([
    ['or', '(a.eq.1)x'],
    ['or', '()'],
    ['id', '0'],
    ['id', 'noop.1'],
    ['id', 'is.nullx'],
    ['id', 'in.(1)x'],
    ['order', 'id.ac'],
    ['select', '*)x'],
    ['select', 'id::'],
    ['limit', 'abc'],
    ['columns', ''],
  ])('and refuses %s=%s', (field, text) => {
    expect(refuse({ [field]: text })).toMatchObject({ status: 400 })
  })

  test.each([
    ['is.NULL', 'null'],
    ['is.not_null', 'not_null'],
    ['is.Unknown', 'unknown'],
  ])('%s', (text, wanted) => {
    expect(where('id', text)).toEqual([{ kind: 'is', column: 'id', test: wanted }])
  })

  test('orders, with nulls where PostgreSQL has them', () => {
    const { order } = parseQuery({ order: 'a,b.desc,c.asc.nullsfirst,d.nullslast, "e f".desc.nullslast' })
    expect(order.map(({ column, isDescending, nullsFirst }) => [column, isDescending, nullsFirst])).toEqual([
      ['a', false, false],
      ['b', true, true],
      ['c', false, true],
      ['d', false, false],
      ['e f', true, false],
    ])
  })

  test('numbers of any size, and none below zero', () => {
    expect(parseQuery({ limit: '99999999999999999999', offset: '-4' })).toMatchObject({
      limit: 1e9,
      offset: 0,
    })
    expect(refuse({ limit: '-1' })).toMatchObject({ status: 416, code: 'PGRST103' })
  })

  test('a selection with the lead of a log', () => {
    expect(parseQuery({ select: 'id, leads( name ,email)' }).select).toEqual({
      columns: ['id'],
      embeds: [{ name: 'leads', columns: ['name', 'email'] }],
    })
  })
})
