import { sql } from 'kysely'
import type { Me } from '#core/contract/accounts/account.ts'
import { PERMISSIONS_OF, type AdminRole } from '#core/contract/accounts/admin-role.ts'
import { PERMISSIONS_OF_MEMBER, type MemberRole } from '#core/contract/accounts/member-role.ts'
import type { Db } from '../database.ts'

/** SQL on `p`: an administrator's role; null for a client, also for one whose invitation waits. */
export const adminRole = sql<AdminRole | null>`case when p.role = 'admin' then coalesce(p.admin_role, 'owner') end`

/** A person, the account that they act for, and what they are in it. */
export interface Member {
  user_id: string
  account_id: string
  member_role: MemberRole
}

/** Reads the answer of `GET /api/v1/me`, with the counts counted now. */
export async function readMe(
  db: Db,
  { user_id: user, account_id, member_role }: Member,
): Promise<Me | undefined> {
  const may = PERMISSIONS_OF_MEMBER[member_role]
  const isAgent = member_role === 'agent'
  const { rows } = await sql<Omit<Me, 'permissions' | keyof Member> & Pick<Me, 'user_id'>>`
    select p.user_id, p.email, p.name, p.role, ${adminRole} as admin_role, p.status,
      (p.role = 'admin' or exists (
        select from client_accounts c where c.user_id = own.user_id and c.status = 'active')) as is_approved,
      case when ${may.includes('money')} then own.balance end as balance,
      coalesce((select c.business_name from client_accounts c where c.user_id = own.user_id), '') as account_name, (
      select count(*)::int from lead_assignments a
      where a.client_user_id = own.user_id and a.state = 'active' and a.first_viewed_at is null
        and ${may.includes('leads')}
        and (not ${isAgent}::boolean or exists (select from leads l where l.id = a.lead_id and l.member_user_id = ${user}))
    ) as unread_lead_count, (
      select count(*)::int from orders o
      where o.client_user_id = own.user_id and o.deleted_at is null and o.paused_by is null
        and (o.ends_at is null or o.ends_at > now()) and ${may.includes('orders')}
        and (not ${isAgent}::boolean or o.member_user_id = ${user})
    ) as active_order_count
    from profiles p join profiles own on own.user_id = ${account_id} where p.user_id = ${user}
  `.execute(db)
  const [me] = rows
  const permissions = me?.role === 'admin' ? PERMISSIONS_OF[me.admin_role ?? 'owner'] : may
  return me && { ...me, account_id, member_role, permissions: [...permissions] }
}

/** Whether an account has this id. */
export async function hasProfile(db: Db, userId: string): Promise<boolean> {
  const found = await db
    .selectFrom('profiles')
    .select('user_id')
    .where('user_id', '=', userId)
    .executeTakeFirst()
  return found !== undefined
}

export async function changeName(db: Db, userId: string, name: string): Promise<void> {
  await db
    .updateTable('profiles')
    .set({ name, updated_at: sql<Date>`now()` })
    .where('user_id', '=', userId)
    .execute()
}
