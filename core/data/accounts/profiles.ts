import { sql } from 'kysely'
import type { Me } from '#core/contract/accounts/account.ts'
import { PERMISSIONS_OF, type AdminRole } from '#core/contract/accounts/admin-role.ts'
import type { Db } from '../database.ts'

/** SQL on `p`: an administrator's role; null for a client, also for one whose invitation waits. */
export const adminRole = sql<AdminRole | null>`case when p.role = 'admin' then coalesce(p.admin_role, 'owner') end`

/** Reads the answer of `GET /api/v1/me`, with the unread count counted now. */
export async function readMe(db: Db, userId: string): Promise<Me | undefined> {
  const { rows } = await sql<Omit<Me, 'permissions'>>`
    select p.user_id, p.email, p.name, p.role, ${adminRole} as admin_role, p.balance, p.status, (
      select count(*)::int from lead_assignments a
      where a.client_user_id = p.user_id and a.state = 'active' and a.first_viewed_at is null
    ) as unread_lead_count, (
      select count(*)::int from orders o
      where o.client_user_id = p.user_id and o.deleted_at is null and o.paused_by is null
        and (o.ends_at is null or o.ends_at > now())
    ) as active_order_count
    from profiles p where p.user_id = ${userId}
  `.execute(db)
  const [me] = rows
  return me && { ...me, permissions: me.admin_role === null ? [] : [...PERMISSIONS_OF[me.admin_role]] }
}

export async function changeName(db: Db, userId: string, name: string): Promise<void> {
  await db
    .updateTable('profiles')
    .set({ name, updated_at: sql<Date>`now()` })
    .where('user_id', '=', userId)
    .execute()
}
