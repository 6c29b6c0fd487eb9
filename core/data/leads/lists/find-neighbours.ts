import { sql, type RawBuilder } from 'kysely'
import type { Db } from '../../database.ts'
import type { PagePosition } from '../../page.ts'
import { hadBefore, isOthersNow, isVisible, type Viewer } from '../leads.ts'
import { findIds, orderFound, planFilter, type LeadFilter, type PlannedFilter } from './list-leads.ts'

/**
 * The leads before and after one in a list; the lead itself need not be in the list any more. Returns undefined if the
 * viewer has no such lead.
 */
export async function findNeighbours(
  db: Db,
  viewer: Viewer,
  filter: LeadFilter,
  id: string,
): Promise<{ previous: string | null; next: string | null } | undefined> {
  const { rows } = await sql<{ at: string; is_hidden: boolean }>`
    select ${orderFound(filter).place} as at, ${isPlaceHidden(viewer, filter)} as is_hidden
    from leads l where l.id = ${id} and (${isVisible(viewer)} or ${hadBefore(viewer)})`.execute(db)
  const [place] = rows
  if (place === undefined) return undefined
  if (place.is_hidden) return { previous: null, next: null }
  const after = { at: place.at, id }
  const planned = await planFilter(db, viewer, filter, 1)
  return {
    previous: await findFirst(db, viewer, planned, { after, isTurned: true }),
    next: await findFirst(db, viewer, planned, { after, isTurned: false }),
  }
}

/**
 * SQL: whether the place of the lead `l` in the list would reveal something that this viewer may not see: its name, or
 * the price that another client paid.
 */
function isPlaceHidden(viewer: Viewer, { sort = '-received' }: LeadFilter): RawBuilder<unknown> {
  if (viewer.role === 'admin' || sort.endsWith('received')) return sql`false`
  return sort.endsWith('name') ? sql`(l.status = 'returned' or ${isOthersNow(viewer)})` : isOthersNow(viewer)
}

/** The first lead behind a place of a list, or of the reversed list. */
export async function findFirst(
  db: Db,
  viewer: Viewer,
  filter: PlannedFilter,
  from: { after: PagePosition; isTurned: boolean },
): Promise<string | null> {
  const { rows } = await sql<{ id: string }>`
    /* planned for its values */ select beside.id from (${findIds(viewer, filter, { ...from, limit: 1 })}) beside`.execute(
    db,
  )
  return rows[0]?.id ?? null
}
