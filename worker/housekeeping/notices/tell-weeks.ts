import { tallyLeads } from '#core/data/market/figures/analytics.ts'
import { tallyDeliveries } from '#core/data/market/figures/delivery-figures.ts'
import { tellClient } from '#core/use-cases/market/tell-client.ts'
import { listEndedWeeks, type EndedWeek } from '#core/data/market/notices/weekly-digest.ts'
import type { WorkerContext } from '#worker/context.ts'

const MOST_AT_ONCE = 50
const NOTHING = { leads: 0, spend: '0.00', returned: 0, refunded: '0.00' }

/**
 * Mails clients, if they chose so, the figures of the week that has ended: the same as /analytics shows.
 * @param at a moment in place of PostgreSQL's clock
 */
export async function tellWeeks(
  { db }: Pick<WorkerContext, 'db'>,
  signal: AbortSignal,
  at?: Date,
): Promise<void> {
  let weeks: EndedWeek[]
  do {
    weeks = await listEndedWeeks(db, MOST_AT_ONCE, at)
    for (const { user_id: client, zone, from, to, begins, ends, balance } of weeks) {
      const of = { client, zone, begins, ends }
      const tallies = await tallyLeads(db, of, { contacted: [], sold: [] })
      const all = tallies.find(({ group }) => group === 'all') ?? NOTHING
      const { attempted, delivered } = await tallyDeliveries(db, of)
      const { leads, spend, returned, refunded } = all
      const data = { from, to, leads, spend, returned, refunded, attempted, delivered, balance }
      await tellClient(db, client, { template: 'weekly_digest', data }, from)
      if (signal.aborted) return
    }
  } while (weeks.length === MOST_AT_ONCE)
}
