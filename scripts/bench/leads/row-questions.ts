import { randomInt } from 'node:crypto'
import type { Kysely } from 'kysely'
import { listColumns } from '#core/contract/rows/row-tables.ts'
import { findRows } from '#core/data/rows/find-rows.ts'
import type { RowCondition, RowOrder, RowQuery } from '#core/data/rows/row-query.ts'
import { OUT_OF_TIME } from '#core/data/rows/within-time.ts'
import type { Database } from '#core/data/schema/tables.ts'
import type { Question } from '../ask-often.ts'
import type { FilledLeads } from './fill-leads.ts'

const DAY_MS = 24 * 3600 * 1000
const KEPT = { since: new Date(Date.now() - 365 * DAY_MS), until: new Date(Date.now() + DAY_MS) }
const ALL: RowQuery = {
  columns: listColumns('leads').map(({ name }) => name),
  where: [],
  order: [],
  limit: 50,
  offset: 0,
}

const compare = (column: string, operator: 'eq' | 'neq' | 'gt' | 'lt' | 'like' | 'ilike', value: string) =>
  ({ kind: 'compare', column, operator, value }) as const
const contains = (text: string): RowCondition => ({
  kind: 'or',
  of: ['name', 'email', 'phone'].map((column) => compare(column, 'ilike', `%${text}%`)),
})
const by = (column: string, isDescending = false): RowOrder => ({
  column,
  isDescending,
  nullsFirst: isDescending,
})

/** Questions of programs and attackers to /rest/v1/leads (docs/contract.md §4), for the client with half of all leads. */
export function askRows(db: Kysely<Database>, { client, neighbour, sampled }: FilledLeads): Question[] {
  const any = () =>
    sampled[randomInt(sampled.length)] ?? { id: '', name: '', email: '', phone: '', state: '' }
  const last = () => any().name.split(' ')[1] ?? ''
  const ask = (
    words: string,
    make: () => Partial<RowQuery>,
    count?: 'exact' | 'planned',
    whose = client,
  ): Question => ({
    words,
    finds: 'any',
    ask: async () => await answer({ whose, query: { ...ALL, ...make() }, count }),
  })
  const answer = async ({
    whose,
    query,
    count,
  }: {
    whose: string
    query: RowQuery
    count: 'exact' | 'planned' | undefined
  }) => {
    try {
      return (await findRows(db, { table: 'leads', owner: { account_id: whose }, query, kept: KEPT, count }))
        .rows.length
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === OUT_OF_TIME) return -1
      throw error
    }
  }
  const where = (...conditions: RowCondition[]) => ({ where: conditions })
  return [
    ask('the newest 50', () => ({})),
    ask('the newest 1,000', () => ({ limit: 1000 })),
    ask('the oldest 50', () => ({ order: [by('created_at')] })),
    ask('the page behind 10,000', () => ({ offset: 10_000 })),
    ask('the page behind 400,000', () => ({ offset: 400_000 })),
    ask('by id', () => where(compare('id', 'eq', any().id))),
    ask('a hundred ids', () =>
      where({ kind: 'in', column: 'id', values: Array.from({ length: 100 }, () => any().id) }),
    ),
    ask('the search box: a name', () => ({ ...where(contains(last())), limit: 5 })),
    ask('the search box: three letters', () => ({ ...where(contains(last().slice(0, 3))), limit: 5 })),
    ask('the search box: a phone', () => ({ ...where(contains(any().phone)), limit: 5 })),
    ask('the search box: a name that nobody has', () => ({ ...where(contains('Zebrowitzki')), limit: 5 })),
    ask('the search box: two letters that nobody has', () => ({ ...where(contains('qx')), limit: 5 })),
    ask('an e-mail address', () => where(compare('email', 'eq', any().email))),
    ask('a common state', () => where(compare('state', 'eq', 'TX'))),
    ask('a state that none has', () => where(compare('state', 'eq', 'AK'))),
    ask('a status that none has', () => where(compare('status', 'eq', 'expired'))),
    ask('a day', () => {
      const from = Date.now() - (10 + randomInt(300)) * DAY_MS
      return where(
        compare('created_at', 'gt', new Date(from).toISOString()),
        compare('created_at', 'lt', new Date(from + DAY_MS).toISOString()),
      )
    }),
    ask('by name', () => ({ order: [by('name')] })),
    ask('by name and city, descending', () => ({ order: [by('name', true), by('city', true)] })),
    ask('a pattern that walks each name', () => where(compare('name', 'like', '%a%a%a%a%a%a%a%z'))),
    ask('100 conditions on each lead', () =>
      where({
        kind: 'or',
        of: Array.from({ length: 100 }, (_, index) => compare('name', 'ilike', `%q${index}x%`)),
      }),
    ),
    ask('notes that nobody has', () => where(compare('notes', 'ilike', '%qx%'))),
    ask('all counted', () => ({ limit: 1 }), 'exact'),
    ask('all counted to 10,000', () => ({ limit: 1 }), 'planned'),
    ask('a state counted', () => ({ ...where(compare('state', 'eq', 'TX')), limit: 1 }), 'exact'),
    ask('the newest 50 of a client with few leads', () => ({}), undefined, neighbour),
    ask('all counted, of a client with few leads', () => ({ limit: 1 }), 'exact', neighbour),
  ]
}
