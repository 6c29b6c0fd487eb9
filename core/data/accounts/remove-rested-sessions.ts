import { sql } from 'kysely'
import type { Db } from '../database.ts'

/** Rows removed in one statement; it takes milliseconds, so that nobody waits for it. */
const BATCH = 1000

/**
 * Removes sessions that ended by inactivity a day ago or longer, with their refresh tokens. The audit log records it,
 * as it does when a refresh finds such a session. Until the removal, a refresh is told why the session ended.
 * @param inactivitySeconds AUTH_INACTIVITY_SECONDS; with 0 sessions never end by inactivity
 * @returns how many were removed
 */
export async function removeRestedSessions(db: Db, inactivitySeconds: number): Promise<number> {
  if (inactivitySeconds === 0) return 0
  let removed = 0
  for (let batch = BATCH; batch === BATCH; removed += batch) {
    const { rows } = await sql<{ gone: number }>`
      with gone as (
        delete from auth.sessions where id in (
          select id from auth.sessions
          where last_active_at < now() - make_interval(secs => ${inactivitySeconds}) - interval '1 day'
          limit ${BATCH} for update skip locked)
        returning id, user_id
      ), told as (
        insert into auth.audit_log (action, user_id, actor, session_id, details)
        select 'session_expired', user_id, 'nobody', id, '{"reason": "inactivity"}' from gone
      )
      select count(*)::int as gone from gone`.execute(db)
    batch = rows[0]?.gone ?? 0
  }
  return removed
}
