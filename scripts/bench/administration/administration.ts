import { sql, type Kysely } from 'kysely'
import { REVENUE_GROUPS } from '#core/contract/market/money/market-money.ts'
import { listAdminLeads, totalAdminLeads } from '#core/data/leads/admin-leads.ts'
import { tallyCompleted, tallyDead, tallyUnfinished } from '#core/data/operations/queue-counts.ts'
import type { Database } from '#core/data/schema/tables.ts'
import { ADMINISTRATION_ZONE } from '#core/contract/market/administration-zone.ts'
import { addDays, localMoment } from '#core/domain/market/local-moment.ts'
import { readAdminAudit } from '#server/accounts/audit/read-admin-audit.ts'
import { showRevenue } from '#server/market/admin/money/show-money.ts'
import { showOverview } from '#server/operations/admin/overview/show-overview.ts'
import { createSumSources } from '#server/operations/admin/overview/sum-sources.ts'
import { sumHours } from '#worker/housekeeping/watch/sum-hours.ts'
import { askInTurns, type Effort, type Question } from '../ask-often.ts'
import { table } from '../report.ts'
import type { BenchContext } from '../services.ts'
import { settle } from '../settle.ts'
import { fillMarket, queueDeliveries } from './fill-market.ts'

const TIMES = 20
const WARM_UP = 2
const NOBODY = '01900000-0000-7000-8000-000000000000'
/** Deliveries due, and as many planned for later, in the last question. */
const QUEUED = 100_000
const PAGE = { limit: 50, after: undefined }

/** Measures the questions of administrators' screens on a market of this many leads and ten times as many deliveries. */
export interface AdministrationResult {
  leads: number
  /** the overview before a worker has summed the past, and how long the worker takes */
  unsummed: Effort
  sumsMs: number
  efforts: Record<string, Effort>
}

/** Fills a market, and asks what the screens of administrators ask, one connection at a time. */
export async function measureAdministration(
  { makeDatabase }: BenchContext,
  leads: number,
): Promise<AdministrationResult> {
  const open = await makeDatabase()
  const several = open(2)
  await fillMarket(several, leads)
  await settle(several)
  const db = open(1)
  const ask = async (question: Question) => {
    // The pool may have closed the connection while the market was filled.
    const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(db)
    const [effort] = await askInTurns([{ ...question, pid: rows[0]?.pid ?? 0 }], TIMES, WARM_UP)
    if (effort === undefined) throw new Error('a question was not asked')
    return effort
  }
  const questions = listQuestions(db)
  const [overview] = questions
  if (overview === undefined) throw new Error('there is no question')
  const unsummed = await ask(overview)
  const began = performance.now()
  await sumHours({ db }, new AbortController().signal)
  const sumsMs = performance.now() - began
  const efforts: Record<string, Effort> = {}
  for (const question of questions) efforts[question.words] = await ask(question)
  await queueDeliveries(several, QUEUED)
  await settle(several)
  const outage = `unfinished ones counted with ${QUEUED} due and ${QUEUED} planned`
  efforts[outage] = await ask({
    words: outage,
    finds: 'some',
    ask: async () => (await tallyUnfinished(db)).length,
  })
  return { leads, unsummed, sumsMs, efforts }
}

function listQuestions(db: Kysely<Database>): Question[] {
  const viewer = { user_id: NOBODY, role: 'admin' } as const
  const operations = { readQueueState: () => Promise.resolve(null), sumSources: createSumSources(db) }
  const proxies = { seen: () => [] }
  const to = localMoment(ADMINISTRATION_ZONE, new Date()).date
  const question = (
    words: string,
    finds: Question['finds'],
    read: () => Promise<readonly unknown[]>,
  ): Question => ({
    words,
    finds,
    ask: async () => (await read()).length,
  })
  return [
    question('overview', 'some', async () => (await showOverview({ db, operations, proxies })).hours),
    ...REVENUE_GROUPS.map((by) =>
      question(
        `revenue of 30 days by ${by}`,
        'some',
        async () => (await showRevenue(db, { by, from: addDays(to, -29), to })).data,
      ),
    ),
    question('dead letters counted', 'some', () => tallyDead(db)),
    question('unfinished deliveries counted', 'any', () => tallyUnfinished(db)),
    question('delivered ones counted', 'any', () => tallyCompleted(db)),
    question(
      'leads of a state that none has',
      'none',
      async () => (await listAdminLeads(db, viewer, { state: 'AK' }, PAGE)).rows,
    ),
    question('its totals', 'some', async () => [await totalAdminLeads(db, viewer, { state: 'AK' })]),
    question(
      'leads of a source that none has',
      'none',
      async () => (await listAdminLeads(db, viewer, { source: NOBODY }, PAGE)).rows,
    ),
    question('audit of a client', 'some', () => readAdminAudit(db, { client: 'Business 0777' }, PAGE)),
    question('audit of a name that none has', 'none', () => readAdminAudit(db, { client: 'nobody' }, PAGE)),
    question('audit of an actor that did nothing', 'none', () =>
      readAdminAudit(db, { actor_id: NOBODY }, PAGE),
    ),
  ]
}

/** p50, p95 and PostgreSQL's processor time of each question, in milliseconds. */
export function administrationTable({ leads, unsummed, sumsMs, efforts }: AdministrationResult): string {
  const row = (words: string, { p50, p95, processor }: Effort) => [
    words,
    p50.toFixed(1),
    p95.toFixed(1),
    processor.toFixed(1),
  ]
  return [
    table([
      [`${leads} leads, ${leads * 10} deliveries`, 'p50 ms', 'p95 ms', 'processor ms'],
      row('overview before the past is summed', unsummed),
      ...Object.entries(efforts).map(([words, effort]) => row(words, effort)),
    ]),
    `A worker sums the past in ${(sumsMs / 1000).toFixed(1)} s.`,
  ].join('\n\n')
}
