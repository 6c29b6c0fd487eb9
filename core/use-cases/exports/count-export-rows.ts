import type { Db } from '#core/data/database.ts'
import { countLeads } from '#core/data/leads/lists/count-leads.ts'
import type { LeadFilter } from '#core/data/leads/lists/list-leads.ts'
import type { Viewer } from '#core/data/leads/leads.ts'
import type { PagePosition } from '#core/data/page.ts'
import { EXPORTS } from '#core/fairness/limits.ts'

/** Counts all leads of a list in short queries. Calls `each` after every one. */
export async function countAllLeads(
  db: Db,
  viewer: Viewer,
  filter: LeadFilter,
  each: () => Promise<void>,
): Promise<number> {
  let total = 0
  let after: PagePosition | undefined
  do {
    const { count, last } = await countLeads(db, viewer, filter, { limit: EXPORTS.countedTogether, after })
    total += count
    after = count < EXPORTS.countedTogether ? undefined : last
    await each()
  } while (after !== undefined)
  return total
}
