import { sql } from 'kysely'
import { rolesWith, type AdminPermission, type AdminRole } from '#core/contract/accounts/admin-role.ts'
import type { Db } from '../database.ts'

/**
 * The ids of administrators who can sign in, who are notified of matters of the whole installation.
 * @param permission only those whose role includes it
 */
export async function listAdministrators(db: Db, permission: AdminPermission = 'read'): Promise<string[]> {
  const admins = await db
    .selectFrom('profiles as p')
    .innerJoin('auth.users as u', 'u.id', 'p.user_id')
    .select('p.user_id')
    .where('p.role', '=', 'admin')
    .where('p.status', '=', 'active')
    .where('u.deleted_at', 'is', null)
    .where(sql<boolean>`coalesce(u.banned_until <= now(), true)`)
    .where(sql<AdminRole>`coalesce(p.admin_role, 'owner')`, 'in', rolesWith(permission))
    .execute()
  return admins.map(({ user_id }) => user_id)
}
