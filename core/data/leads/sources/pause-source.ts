import { sql } from 'kysely'
import type { Db } from '../../database.ts'

/** Pauses a source that the caller has locked, or ends its pause (null). `by` is the administrator's id. */
export async function setSourcePause(
  trx: Db,
  id: string,
  pause: { reason: string; by: string } | null,
): Promise<void> {
  await trx
    .updateTable('sources')
    .set({
      paused_at: pause === null ? null : sql<Date>`now()`,
      pause_reason: pause?.reason ?? null,
      paused_by: pause?.by ?? null,
    })
    .where('id', '=', id)
    .execute()
}

/** Whether leads under its keys are refused until somebody resumes it. */
export async function isSourcePaused(db: Db, id: string): Promise<boolean> {
  const row = await db.selectFrom('sources').select('paused_at').where('id', '=', id).executeTakeFirst()
  return row !== undefined && row.paused_at !== null
}

/** The paused sources, oldest pause first, at most 100. */
export async function listPausedSources(db: Db): Promise<{ id: string; paused_at: Date }[]> {
  const rows = await db
    .selectFrom('sources')
    .select(['id', 'paused_at'])
    .where('paused_at', 'is not', null)
    .where('stopped_at', 'is', null)
    .orderBy('paused_at')
    .limit(100)
    .execute()
  return rows.flatMap(({ id, paused_at }) => (paused_at === null ? [] : [{ id, paused_at }]))
}
