import { isBlocked } from '#core/data/accounts/is-blocked.ts'
import type { Db } from '#core/data/database.ts'

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
