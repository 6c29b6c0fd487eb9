import { sql } from 'kysely'
import { LRUCache } from 'lru-cache'
import type { Db } from '#core/data/database.ts'
import { writeAudit } from '../accounts/audit/audit-log.ts'
import type { Caller } from '../identity/caller.ts'
import type { Principal } from '../identity/find-live-session.ts'

const HOUR_MS = 3_600_000
const audited = new LRUCache<string, Promise<void>>({ max: 10_000, ttl: HOUR_MS })

/**
 * Records that an administrator sees a client's screens, once an hour for each session and client, before anything
 * is shown. Other servers may record the same: one lock puts them in order.
 */
export async function auditView(db: Db, viewed: Principal, from: Caller): Promise<void> {
  const key = `${viewed.session_id} ${viewed.user_id}`
  const known = audited.get(key)
  if (known !== undefined) {
    await known
    return
  }
  const writing = writeOnce(db, viewed, from)
  audited.set(key, writing)
  try {
    await writing
  } catch (error) {
    audited.delete(key)
    throw error
  }
}

async function writeOnce(db: Db, viewed: Principal, from: Caller): Promise<void> {
  const { user_id: client, session_id: session } = viewed
  await db.transaction().execute(async (trx) => {
    await sql`select pg_advisory_xact_lock(hashtextextended(${`viewed_as ${session} ${client}`}, 0))`.execute(
      trx,
    )
    const { rows } = await sql`
      select from auth.audit_log
      where user_id = ${client} and action = 'viewed_as' and session_id = ${session} and at > now() - interval '1 hour'
      limit 1`.execute(trx)
    if (rows.length > 0) return
    await writeAudit(trx, {
      action: 'viewed_as',
      user_id: client,
      actor: 'admin',
      actor_id: viewed.viewed_by ?? null,
      session_id: session,
      caller: from,
    })
  })
}
