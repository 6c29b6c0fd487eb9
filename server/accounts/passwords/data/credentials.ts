import type { Db } from '#core/data/database.ts'
import { isBlocked } from '#core/data/accounts/is-blocked.ts'

/** Reads what a password sign-in needs. */
export async function findCredentials(db: Db, email: string) {
  return await db
    .selectFrom('auth.users as u')
    .innerJoin('profiles as p', 'p.user_id', 'u.id')
    .select(['u.id', 'u.password_hash', 'u.email_confirmed_at', isBlocked.as('is_blocked')])
    .where('u.email', '=', email)
    .where('u.is_sso_user', '=', false)
    .where('u.deleted_at', 'is', null)
    .executeTakeFirst()
}

/** Reads what a password sign-in by phone (digits only) needs. */
export async function findCredentialsByPhone(db: Db, phone: string) {
  return await db
    .selectFrom('auth.users as u')
    .innerJoin('profiles as p', 'p.user_id', 'u.id')
    .select(['u.id', 'u.password_hash', 'u.phone_confirmed_at', isBlocked.as('is_blocked')])
    .where('u.phone', '=', phone)
    .where('u.deleted_at', 'is', null)
    .executeTakeFirst()
}

/** Stores the same password under a better hash, unless it was changed in the meantime. */
export async function replacePasswordHash(
  db: Db,
  userId: string,
  { from, to }: { from: string; to: string },
): Promise<void> {
  await db
    .updateTable('auth.users')
    .set({ password_hash: to })
    .where('id', '=', userId)
    .where('password_hash', '=', from)
    .execute()
}
