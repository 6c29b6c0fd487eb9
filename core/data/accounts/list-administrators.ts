import type { Db } from '../database.ts'

/** The ids of the administrators who are told what concerns the whole installation: those whose accounts are active. */
export async function listAdministrators(db: Db): Promise<string[]> {
  const admins = await db
    .selectFrom('profiles')
    .select('user_id')
    .where('role', '=', 'admin')
    .where('status', '=', 'active')
    .execute()
  return admins.map(({ user_id }) => user_id)
}
