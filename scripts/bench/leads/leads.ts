import { sql, type Kysely } from 'kysely'
import type { Database } from '#core/data/schema/tables.ts'
import type { LeadSort } from '#core/contract/leads/lead-query.ts'
import { analyticsQuerySchema } from '#core/contract/market/analytics.ts'
import { showAnalytics } from '#server/market/analytics/show-analytics.ts'
import { showDeliveries } from '#server/market/analytics/show-deliveries.ts'
import { askOften } from '../ask-often.ts'
import type { BenchContext } from '../services.ts'
import { settle } from '../settle.ts'
import type { Spread } from '../spread.ts'
import { fillLeads, type FilledLeads } from './fill-leads.ts'
import { askLists, askSearches } from './questions.ts'
import { weighIndexes, type IndexWeight } from './weigh-indexes.ts'

const SEARCHES = 150
const LISTS = 30
const ANALYTICS = 5
const WARM_UP = 10

/** The API's questions to so many leads, of which one client has half, in milliseconds. */
export interface LeadsResult {
  rows: number
  /** megabytes of table and indexes */
  megabytes: number
  searches: Record<string, Spread>
  lists: { filter: string; sort: LeadSort; spread: Spread }[]
  analytics: Record<string, Spread>
  weight: IndexWeight
}

/** Fills to each size in turn and asks what the API asks. */
export async function readLeads(
  { db }: BenchContext,
  sizes: readonly number[],
  tell: (result: LeadsResult) => void,
): Promise<LeadsResult[]> {
  const results: LeadsResult[] = []
  let filled = 0
  for (const rows of sizes.toSorted((a, b) => a - b)) {
    const leads = await fillLeads(db, rows - filled)
    await settle(db)
    const result = { ...(await ask(db, leads)), rows }
    results.push(result)
    tell(result)
    filled = rows
  }
  return results
}

export async function ask(db: Kysely<Database>, leads: FilledLeads): Promise<Omit<LeadsResult, 'rows'>> {
  const searches: Record<string, Spread> = {}
  for (const question of askSearches(db, leads))
    searches[question.words] = await askOften(question, SEARCHES, WARM_UP)
  const lists: LeadsResult['lists'] = []
  for (const question of askLists(db, leads)) {
    const { filter, sort } = question
    lists.push({ filter, sort, spread: await askOften(question, LISTS, WARM_UP) })
  }
  const { rows: sizes } = await sql<{ megabytes: number }>`
    select (pg_total_relation_size('leads') / 1e6)::float8 as megabytes`.execute(db)
  const analytics = await askFigures(db, leads)
  const weight = await weighIndexes(db, leads.client)
  return { searches, lists, analytics, weight, megabytes: sizes[0]?.megabytes ?? 0 }
}

/** The calls behind /analytics and /enterprise-dashboard over 90 days, of the client with half of all leads and of one with few. */
async function askFigures(
  db: Kysely<Database>,
  { client, neighbour }: FilledLeads,
): Promise<Record<string, Spread>> {
  const whole = analyticsQuerySchema.parse({ days: '90' })
  const spreads: Record<string, Spread> = {}
  for (const [words, whose, query, times] of [
    // Its days are counted, and kept.
    ['of half of all leads, for the first time', client, whole, 1],
    ['of half of all leads', client, whole, ANALYTICS],
    ['of half of all leads, of one state', client, { ...whole, state: 'TX' }, ANALYTICS],
    ['of a client with few leads', neighbour, whole, ANALYTICS],
  ] as const) {
    const ask = async () => (await showAnalytics({ db }, { user_id: whose }, query)).totals.leads
    spreads[words] = await askOften({ words, ask, finds: 'some' }, times, times === 1 ? 0 : 1)
    const deliveries = async () => (await showDeliveries({ db }, { user_id: whose }, query)).all.leads
    const byEndpoint = `${words}, deliveries by endpoint and state`
    spreads[byEndpoint] = await askOften({ words: byEndpoint, ask: deliveries, finds: 'some' }, times, 1)
  }
  return spreads
}
