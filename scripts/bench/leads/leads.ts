import { sql, type Kysely } from 'kysely'
import type { Database } from '#core/data/schema/tables.ts'
import type { LeadSort } from '#core/contract/leads/lead-query.ts'
import { askInTurns, type Effort, type Question } from '../ask-often.ts'
import type { BenchContext } from '../services.ts'
import { settle } from '../settle.ts'
import { fillLeads, type FilledLeads } from './fill-leads.ts'
import { askFigures, askFirstFigures, askLists, askSearches } from './questions.ts'
import { askRows } from './row-questions.ts'
import { weighIndexes, type IndexWeight } from './weigh-indexes.ts'

const SEARCHES = 200
const LISTS = 50
const FIGURES = 5
const ROWS = 20
const WARM_UP = 10

/** The durations of the API's queries on this many leads, of which one client has half, in milliseconds. */
export interface LeadsResult {
  rows: number
  /** size of table and indexes, in megabytes */
  megabytes: number
  searches: Record<string, Effort>
  lists: { filter: string; sort: LeadSort; effort: Effort }[]
  analytics: Record<string, Effort>
  /** what /rest/v1 may be asked */
  tables: Record<string, Effort>
  weight: IndexWeight
}

/**
 * A database with this many leads, the one connection that queries it, and that connection's server process.
 */
interface Filled {
  rows: number
  db: Kysely<Database>
  pid: number
  leads: FilledLeads
}

/** Fills a database for each size, and runs the API's queries on all of them in turns. */
export async function readLeads(
  context: BenchContext,
  sizes: readonly number[],
  tell: (result: LeadsResult) => void,
): Promise<LeadsResult[]> {
  const filled: Array<() => Promise<Filled>> = []
  for (const rows of sizes.toSorted((a, b) => a - b)) filled.push(await fill(context, rows))
  const all: Filled[] = []
  for (const open of filled) all.push(await open())
  const searches = await askAll(all, askSearches, { times: SEARCHES, warmUp: WARM_UP })
  const lists = await askAll(all, askLists, { times: LISTS, warmUp: WARM_UP })
  const first = await askAll(all, askFirstFigures, { times: 1, warmUp: 0 })
  const figures = await askAll(all, askFigures, { times: FIGURES, warmUp: 1 })
  const tables = await askAll(all, askRows, { times: ROWS, warmUp: 2 })
  const results: LeadsResult[] = []
  for (const [index, { rows, db, leads }] of all.entries()) {
    const { rows: sizes } = await sql<{ megabytes: number }>`
      select (pg_total_relation_size('leads') / 1e6)::float8 as megabytes`.execute(db)
    const result = {
      rows,
      megabytes: sizes[0]?.megabytes ?? 0,
      searches: byWords(searches, index),
      lists: lists.flatMap(({ question: { filter, sort }, efforts }) => {
        const effort = efforts[index]
        return effort === undefined ? [] : [{ filter, sort, effort }]
      }),
      analytics: { ...byWords(first, index), ...byWords(figures, index) },
      tables: byWords(tables, index),
      weight: await weighIndexes(db, leads.client),
    }
    results.push(result)
    tell(result)
  }
  return results
}

/**
 * Fills a database. Returns a function that opens the querying connection: one that is idle while others are
 * filled would be closed.
 */
async function fill({ makeDatabase }: BenchContext, rows: number): Promise<() => Promise<Filled>> {
  const open = await makeDatabase()
  const several = open(2)
  const leads = await fillLeads(several, rows)
  await settle(several)
  return async () => {
    const db = open(1)
    const { rows: processes } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(db)
    return { rows, db, pid: processes[0]?.pid ?? 0, leads }
  }
}

/** A query, and its durations on each database. */
interface Answered<Of extends Question> {
  question: Of
  efforts: Effort[]
}

async function askAll<Of extends Question>(
  all: readonly Filled[],
  list: (db: Kysely<Database>, leads: FilledLeads) => Of[],
  { times, warmUp }: { times: number; warmUp: number },
): Promise<Answered<Of>[]> {
  const lists = all.map(({ db, pid, leads }) => list(db, leads).map((question) => ({ ...question, pid })))
  const answered: Answered<Of>[] = []
  for (const [index, question] of (lists[0] ?? []).entries()) {
    const same = lists.flatMap((one) => one[index] ?? [])
    answered.push({ question, efforts: await askInTurns(same, times, warmUp) })
  }
  return answered
}

function byWords(answered: readonly Answered<Question>[], index: number): Record<string, Effort> {
  return Object.fromEntries(
    answered.flatMap(({ question, efforts }) => {
      const effort = efforts[index]
      return effort === undefined ? [] : [[question.words, effort]]
    }),
  )
}
