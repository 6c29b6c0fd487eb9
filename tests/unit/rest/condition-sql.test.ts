import fc from 'fast-check'
import {
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  sql,
} from 'kysely'
import { expect, test } from 'vitest'
import { listColumns } from '#core/contract/rows/row-tables.ts'
import { holdsFor, orderOf } from '#core/data/rows/condition-sql.ts'
import { leadColumns } from '#core/data/rows/row-columns.ts'
import { COMPARISONS, type RowCondition } from '#core/data/rows/row-query.ts'
import { parseQuery } from '#server/rest/parse/parse-query.ts'
import { resolveQuery } from '#server/rest/resolve-query.ts'
import { RestError } from '#server/rest/rest-error.ts'

const db = new Kysely<never>({
  dialect: {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (of) => new PostgresIntrospector(of),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  },
})
const ACCOUNT = '00000000-0000-7000-8000-000000000001'
const PERSON = '00000000-0000-7000-8000-000000000002'
const asker = { account_id: ACCOUNT, person_id: PERSON }
const columns = leadColumns({ account_id: ACCOUNT })

/** Each value has a sign that no SQL of ours has. */
const value = fc.string({ maxLength: 20 }).map((text) => `§${text}`)
const column = fc.constantFrom(...listColumns('leads').map(({ name }) => name))
const condition: fc.Arbitrary<RowCondition> = fc.oneof(
  fc.record({
    kind: fc.constant('compare' as const),
    column,
    operator: fc.constantFrom(...COMPARISONS),
    value,
  }),
  fc.record({ kind: fc.constant('in' as const), column, values: fc.array(value, { maxLength: 3 }) }),
)

test('no text of a request becomes SQL: values are parameters, names are ours', () => {
  fc.assert(
    fc.property(fc.array(condition, { maxLength: 4 }), (of) => {
      const query = { where: [{ kind: 'or', of } as const] }
      const { sql: text, parameters } = sql`select ${holdsFor('leads', columns, query)}`.compile(db)
      expect(text).not.toContain('§')
      // Each value is one parameter, or one text of a list.
      const given = of.flatMap((one) =>
        one.kind === 'compare' ? [one.value] : one.kind === 'in' ? one.values : [],
      )
      expect(parameters.flat().filter((one) => String(one).startsWith('§'))).toHaveLength(given.length)
    }),
  )
})

test('any name that is no column is refused before any SQL', () => {
  fc.assert(
    fc.property(fc.string({ minLength: 1 }), (name) => {
      const known = listColumns('leads').some((one) => one.name === name)
      for (const fields of [{ select: `"${name}"` }, { order: `"${name}"` }, { [name]: 'eq.1' }]) {
        let refusal: unknown
        try {
          const query = resolveQuery('leads', parseQuery(fields), asker)
          sql`select ${orderOf(columns, query.order, 'id')}`.compile(db)
        } catch (error) {
          refusal = error
        }
        if (refusal === undefined) expect(known || OWN.has(name) || name.trim() === '').toBe(true)
        else expect(refusal).toBeInstanceOf(RestError)
      }
    }),
  )
})

const OWN: ReadonlySet<string> = new Set(['select', 'order', 'limit', 'offset', 'columns'])

test('the id of the person who asks means the account, where a column names an account', () => {
  const { where } = resolveQuery(
    'leads',
    parseQuery({
      user_id: `eq.${PERSON.toUpperCase()}`,
      id: `eq.${PERSON}`,
      assigned_to: `in.(${PERSON},x)`,
    }),
    asker,
  )
  expect(where).toEqual([
    { kind: 'compare', column: 'user_id', operator: 'eq', value: ACCOUNT },
    { kind: 'compare', column: 'id', operator: 'eq', value: PERSON },
    { kind: 'in', column: 'assigned_to', values: [ACCOUNT, 'x'] },
  ])
})
