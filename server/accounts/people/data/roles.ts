import { sql } from 'kysely'
import type { Role } from '#core/contract/accounts/account.ts'
import type { Db } from '#core/data/database.ts'

/** The product's role of a user; undefined if there is no such user. */
export async function findRole(db: Db, userId: string): Promise<Role | undefined> {
  const found = await db
    .selectFrom('profiles')
    .select('role')
    .where('user_id', '=', userId)
    .executeTakeFirst()
  return found?.role
}

export async function setRole(db: Db, userId: string, role: Role): Promise<void> {
  await db
    .updateTable('profiles')
    .set({ role, updated_at: sql<Date>`now()` })
    .where('user_id', '=', userId)
    .execute()
}
