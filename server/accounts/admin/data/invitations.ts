import { sql } from 'kysely'
import type { AdminRole } from '#core/contract/accounts/admin-role.ts'
import type { Db } from '#core/data/database.ts'

/** The role that a waiting invitation gives; null if none waits. */
export async function findInvitedRole(db: Db, userId: string): Promise<AdminRole | null> {
  const found = await db
    .selectFrom('profiles')
    .select('admin_role')
    .where('user_id', '=', userId)
    .where('role', '=', 'client')
    .executeTakeFirst()
  return found?.admin_role ?? null
}

/** Keeps the role until the person has proven the address; null ends the invitation. */
export async function setInvitedRole(db: Db, userId: string, role: AdminRole | null): Promise<void> {
  await db
    .updateTable('profiles')
    .set({ admin_role: role, updated_at: sql<Date>`now()` })
    .where('user_id', '=', userId)
    .where('role', '=', 'client')
    .execute()
  if (role !== null) return
  await db
    .deleteFrom('auth.one_time_tokens')
    .where('user_id', '=', userId)
    .where('kind', '=', 'invite')
    .execute()
}

/** The person accepted an invitation: the account has its role from now on. */
export async function acceptInvitedRole(db: Db, userId: string): Promise<AdminRole | null> {
  const accepted = await db
    .updateTable('profiles')
    .set({ role: 'admin', updated_at: sql<Date>`now()` })
    .where('user_id', '=', userId)
    .where('role', '=', 'client')
    .where('admin_role', 'is not', null)
    .returning('admin_role')
    .executeTakeFirst()
  return accepted?.admin_role ?? null
}
