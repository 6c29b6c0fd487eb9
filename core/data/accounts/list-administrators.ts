import { sql } from 'kysely'
import { rolesWith, type AdminPermission, type AdminRole } from '#core/contract/accounts/admin-role.ts'
import type { Db } from '../database.ts'

/**
 * The ids of administrators with active accounts, who are notified of matters of the whole installation.
 * @param permission only those whose role includes it
 */
export async function listAdministrators(db: Db, permission: AdminPermission = 'read'): Promise<string[]> {
  const admins = await db
    .selectFrom('profiles')
    .select('user_id')
    .where('role', '=', 'admin')
    .where('status', '=', 'active')
    .where(sql<AdminRole>`coalesce(admin_role, 'owner')`, 'in', rolesWith(permission))
    .execute()
  return admins.map(({ user_id }) => user_id)
}
