import { randomInt } from 'node:crypto'
import type { Kysely } from 'kysely'
import { LEAD_SORTS, type LeadSort } from '#core/contract/leads/lead-query.ts'
import { listLeads, type LeadFilter } from '#core/data/leads/lists/list-leads.ts'
import { analyticsQuerySchema } from '#core/contract/market/analytics.ts'
import type { Database } from '#core/data/schema/tables.ts'
import { SLICES } from '#core/fairness/limits.ts'
import { createSlices } from '#core/concurrency/slices.ts'
import { showAnalytics } from '#server/market/analytics/show-analytics.ts'
import { showDeliveries } from '#server/market/analytics/show-deliveries.ts'
import type { Question } from '../ask-often.ts'
import type { FilledLeads } from './fill-leads.ts'

const WEEK_MS = 7 * 24 * 3600 * 1000
const PAGE = 25
const FOUND = 5

const week = (): LeadFilter => {
  const from = Date.now() - (2 + randomInt(40)) * WEEK_MS
  return { from: new Date(from), to: new Date(from + WEEK_MS) }
}

/** Every filter that the API offers (docs/contract.md §4), with common and rare values. */
export const FILTERS: Readonly<Record<string, () => LeadFilter>> = {
  'all leads': () => ({}),
  'assigned ones': () => ({ status: 'assigned' }),
  'returned ones': () => ({ status: 'returned' }),
  'of a common state': () => ({ state: 'TX' }),
  'of a rarer state': () => ({ state: 'AR' }),
  'of a state that none has': () => ({ state: 'AK' }),
  'of a common type': () => ({ lead_type: 'final_expense' }),
  'of a rare type': () => ({ lead_type: 'medicare' }),
  'of a type that none has': () => ({ lead_type: 'solar' }),
  'of one week': week,
  'without tests': () => ({ is_test: false }),
  'tests alone': () => ({ is_test: true }),
  'at one disposition': () => ({ disposition: 'quoted' }),
  'at a disposition that none has': () => ({ disposition: 'bad_number' }),
  unread: () => ({ unread: true }),
  'with a failed delivery': () => ({ delivery: 'failed' }),
}

export interface ListQuestion extends Question {
  filter: string
  sort: LeadSort
}

/** Every filter in every order: the first page of 25 leads. */
export function askLists(db: Kysely<Database>, { client }: FilledLeads): ListQuestion[] {
  const viewer = { user_id: client, role: 'client' } as const
  return Object.entries(FILTERS).flatMap(([filter, make]) =>
    LEAD_SORTS.map((sort) => ({
      words: `${filter}, by ${sort}`,
      filter,
      sort,
      ask: async () =>
        (await listLeads(db, viewer, { ...make(), sort }, { limit: PAGE, after: undefined })).length,
      finds: findsNone(filter, sort) ? ('none' as const) : ('some' as const),
    })),
  )
}

/** Texts typed into the search box: five leads, newest first. */
export function askSearches(db: Kysely<Database>, { client, neighbour, sampled }: FilledLeads): Question[] {
  const any = () => sampled[randomInt(sampled.length)] ?? { name: '', email: '', phone: '' }
  const last = () => any().name.split(' ')[1] ?? ''
  const search = async (text: string, whose = client): Promise<number> => {
    const viewer = { user_id: whose, role: 'client' } as const
    return (await listLeads(db, viewer, { search: text }, { limit: FOUND, after: undefined })).length
  }
  const question = (words: string, ask: () => Promise<number>, finds: Question['finds'] = 'some') => ({
    words,
    ask,
    finds,
  })
  return [
    question('a whole name', () => search(any().name)),
    question('a last name', () => search(last())),
    question('three letters of a name', () => search(last().slice(0, 3))),
    question('two letters of a name', () => search(last().slice(0, 2))),
    question('a whole e-mail address', () => search(any().email)),
    question('part of an e-mail address', () => search(any().email.slice(3, 14))),
    question('what all e-mail addresses have', () => search('@example.com')),
    question('a whole phone', () => search(any().phone)),
    question('a phone as people write it', () => {
      const { phone } = any()
      return search(`(${phone.slice(2, 5)}) ${phone.slice(5, 8)}-${phone.slice(8)}`)
    }),
    question('the last four digits', () => search(any().phone.slice(-4))),
    question('the last three digits', () => search(any().phone.slice(-3))),
    question('a name that nobody has', () => search('Zebrowitzki'), 'none'),
    question('three letters that nobody has', () => search('qqx'), 'none'),
    question('two letters that nobody has', () => search('qx'), 'none'),
    question('a last name, by a client with few leads', () => search(last(), neighbour), 'any'),
    question('three letters, by a client with few leads', () => search(last().slice(0, 3), neighbour), 'any'),
    question(
      'two letters that nobody has, by a client with few leads',
      () => search('qx', neighbour),
      'none',
    ),
  ]
}

const FIGURES = analyticsQuerySchema.parse({ days: '90' })

/**
 * The calls behind /analytics and /enterprise-dashboard over 90 days, for the client with half of all leads
 * and for one with few.
 */
export function askFigures(db: Kysely<Database>, { client, neighbour }: FilledLeads): Question[] {
  return [
    ...askFiguresOf(db, client, 'of half of all leads'),
    ...askFiguresOf(db, client, 'of half of all leads, of one state', { state: 'TX' }),
    ...askFiguresOf(db, neighbour, 'of a client with few leads'),
  ]
}

/** The first call counts the client's days and stores the sums. */
export function askFirstFigures(db: Kysely<Database>, { client }: FilledLeads): Question[] {
  return askFiguresOf(db, client, 'of half of all leads, for the first time')
}

function askFiguresOf(db: Kysely<Database>, client: string, words: string, narrowed = {}): Question[] {
  const query = { ...FIGURES, ...narrowed }
  const inSlices = createSlices(SLICES.mostMs, () => performance.now())
  const ask = async () => (await showAnalytics({ db, inSlices }, { user_id: client }, query)).totals.leads
  const deliveries = async () => (await showDeliveries({ db }, { user_id: client }, query)).all.leads
  return [
    { words, ask, finds: 'some' },
    { words: `${words}, deliveries by endpoint and state`, ask: deliveries, finds: 'some' },
  ]
}

/** The list sorted by name leaves out returned leads, because their place would reveal the name. */
function findsNone(filter: string, sort: LeadSort): boolean {
  return filter.includes('none has') || (filter === 'returned ones' && sort.endsWith('name'))
}
