import { sql } from 'kysely'
import type { Db } from '#core/data/database.ts'

/** Banned until later, or suspended by an administrator: everything of the account stops at once. Of `u` and its profile `p`. */
export const isBlocked = sql<boolean>`coalesce(u.banned_until > now(), false) or p.status <> 'active'`

/** Banned until later, or suspended by an administrator. */
export async function isUserBlocked(db: Db, userId: string): Promise<boolean> {
  const found = await db
    .selectFrom('auth.users as u')
    .innerJoin('profiles as p', 'p.user_id', 'u.id')
    .select(isBlocked.as('is_blocked'))
    .where('u.id', '=', userId)
    .executeTakeFirst()
  return found?.is_blocked ?? false
}

/** Bans for so many seconds from now; null ends a ban. */
export async function setBan(db: Db, userId: string, seconds: number | null): Promise<void> {
  const now = sql<Date>`now()`
  await db
    .updateTable('auth.users')
    .set({
      banned_until: seconds === null ? null : sql<Date>`now() + make_interval(secs => ${seconds})`,
      updated_at: now,
    })
    .where('id', '=', userId)
    .execute()
}
