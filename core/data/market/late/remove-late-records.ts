import type { Db } from '../../database.ts'

/**
 * Removes what late leads are judged by, once it is of no more use: notes whose attempts are gone, jumps of the clock
 * that no lead on its way has met, and hours that the status page shows no more.
 */
export async function removeLateRecords(
  db: Db,
  before: { starts: Date; jumps: Date; hours: Date },
): Promise<{ starts: number; jumps: number; promises: number }> {
  const starts = await db.deleteFrom('late_starts').where('begun_at', '<', before.starts).executeTakeFirst()
  const jumps = await db.deleteFrom('clock_jumps').where('ended_at', '<', before.jumps).executeTakeFirst()
  const hours = await db.deleteFrom('promise_hours').where('hour', '<', before.hours).executeTakeFirst()
  return {
    starts: Number(starts.numDeletedRows),
    jumps: Number(jumps.numDeletedRows),
    promises: Number(hours.numDeletedRows),
  }
}
