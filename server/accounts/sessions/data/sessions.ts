import { sql, type Selectable } from 'kysely'
import type { AuthenticationMethod, SessionsTable } from '#core/data/schema/account-tables.ts'
import type { Db } from '#core/data/database.ts'
import { hasRested } from '#server/identity/data/principals.ts'
import { deleteFlowCodes } from './flows.ts'

export type Session = Selectable<SessionsTable>

export async function insertSession(
  db: Db,
  session: {
    user_id: string
    amr: AuthenticationMethod[]
    aal: 'aal1' | 'aal2'
    ip: string
    user_agent: string
  },
): Promise<Session> {
  return await db
    .insertInto('auth.sessions')
    .values({ ...session, amr: JSON.stringify(session.amr) })
    .returningAll()
    .executeTakeFirstOrThrow()
}

export async function findSession(db: Db, sessionId: string): Promise<Session | undefined> {
  return await db.selectFrom('auth.sessions').selectAll().where('id', '=', sessionId).executeTakeFirst()
}

/** Locks the session's row: rotation, sign-out and the end of a family happen one after another. */
export async function lockSession(db: Db, sessionId: string): Promise<Session | undefined> {
  return await db
    .selectFrom('auth.sessions')
    .selectAll()
    .where('id', '=', sessionId)
    .forUpdate()
    .executeTakeFirst()
}

export async function markRefreshed(db: Db, sessionId: string): Promise<void> {
  await db
    .updateTable('auth.sessions')
    .set({ refreshed_at: sql<Date>`now()` })
    .where('id', '=', sessionId)
    .execute()
}

/** Ends one session and, by cascade, its refresh tokens. */
export async function deleteSession(db: Db, sessionId: string): Promise<void> {
  await db.deleteFrom('auth.sessions').where('id', '=', sessionId).execute()
}

/** Ends the user's sessions, except the one to keep, if any, and deletes the codes that would open more. */
export async function deleteSessionsOfUser(db: Db, userId: string, keep: string | null): Promise<void> {
  // Locks the user's row before any session's, as the verification of factors does; another order could
  // deadlock.
  await db.selectFrom('auth.users').select('id').where('id', '=', userId).forNoKeyUpdate().execute()
  await db
    .deleteFrom('auth.sessions')
    .where('user_id', '=', userId)
    .$if(keep !== null, (query) => query.where('id', '<>', keep))
    .execute()
  await deleteFlowCodes(db, userId)
}

const MOST_LISTED = 100

/**
 * The user's sessions that have not expired from inactivity and were seen within a day (docs/product.md §9),
 * and the caller's own, if there is one.
 */
export async function listLiveSessions(
  db: Db,
  { user_id, session_id }: { user_id: string; session_id: string | null },
  inactivitySeconds: number,
): Promise<Session[]> {
  const isLive = sql<boolean>`
    not ${hasRested(inactivitySeconds)}
    and greatest(s.last_active_at, s.refreshed_at) > now() - interval '24 hours'`
  return await db
    .selectFrom('auth.sessions as s')
    .selectAll()
    .where('user_id', '=', user_id)
    .where((eb) => eb.or([isLive, ...(session_id === null ? [] : [eb('id', '=', session_id)])]))
    .orderBy('last_active_at', 'desc')
    .orderBy('id', 'desc')
    .limit(MOST_LISTED)
    .execute()
}

/** Ends the session if it is this user's. @returns whether there was one */
export async function deleteSessionOfUser(db: Db, userId: string, sessionId: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('auth.sessions')
    .where('id', '=', sessionId)
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow()
  return numDeletedRows > 0n
}
