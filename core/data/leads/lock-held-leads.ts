import { sql } from 'kysely'
import type { Db } from '../database.ts'
import { isVisible, type Viewer } from './leads.ts'

/**
 * Locks those of these leads that the viewer may see, and then their assignments, each by ascending id: nobody else
 * changes them before the transaction ends.
 * @returns their ids
 */
export async function lockHeldLeads(trx: Db, viewer: Viewer, ids: readonly string[]): Promise<string[]> {
  if (ids.length === 0) return []
  const { rows } = await sql<{ id: string }>`
    select l.id from leads l where l.id = any(${[...ids]}::uuid[]) and ${isVisible(viewer)}
    order by l.id for no key update`.execute(trx)
  const locked = rows.map(({ id }) => id)
  await sql`
    select from lead_assignments where lead_id = any(${locked}::uuid[]) and state = 'active'
    order by id for no key update`.execute(trx)
  return locked
}
