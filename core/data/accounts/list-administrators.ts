import type { Db } from '../database.ts'

/** The ids of administrators with active accounts, who are notified of matters of the whole installation. */
export async function listAdministrators(db: Db): Promise<string[]> {
  const admins = await db
    .selectFrom('profiles')
    .select('user_id')
    .where('role', '=', 'admin')
    .where('status', '=', 'active')
    .execute()
  return admins.map(({ user_id }) => user_id)
}
