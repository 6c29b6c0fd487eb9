import { sql } from 'kysely'
import type { Db } from '../../database.ts'
import type { PagePosition } from '../../page.ts'
import type { Viewer } from '../leads.ts'
import { findIds, orderFound, planFilter, type LeadFilter } from './list-leads.ts'

/**
 * Counts the leads of a list behind a place in it.
 * @param page.limit where the count ends
 * @returns `last`: the place of the last counted lead; undefined if none was counted
 */
export async function countLeads(
  db: Db,
  viewer: Viewer,
  filter: LeadFilter,
  page: { limit: number; after: PagePosition | undefined },
): Promise<{ count: number; last: PagePosition | undefined }> {
  const planned = await planFilter(db, viewer, filter, page.limit)
  const order = orderFound(filter, true)
  const { rows } = await sql<{ count: number; at: string; id: string }>`
    /* planned for its values */ select count(*) over ()::int as count, ${order.place} as at, l.id
    from (${findIds(viewer, planned, page)}) page join leads l on l.id = page.id
    order by ${order.orderBy} limit 1`.execute(db)
  const [row] = rows
  return row === undefined
    ? { count: 0, last: undefined }
    : { count: row.count, last: { at: row.at, id: row.id } }
}
