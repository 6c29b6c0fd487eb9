import { sql } from 'kysely'
import type { Role } from '#core/contract/accounts/account.ts'
import type { MemberRole } from '#core/contract/accounts/member-role.ts'
import { isBlocked } from '../accounts/is-blocked.ts'
import type { Db } from '../database.ts'

/** A person who asked for an export, or made a signed URL for an upload, as they are now. */
export interface Asker {
  role: Role
  /** the account that they act for */
  account_id: string
  member_role: MemberRole
  /** they, or the account, are suspended or erased */
  is_blocked: boolean
}

/** Returns undefined for a person who is gone. */
export async function findAsker(db: Db, personId: string): Promise<Asker | undefined> {
  const { rows } = await sql<Asker>`
    select p.role, coalesce(m.account_id, u.id) as account_id, coalesce(m.role, 'owner') as member_role,
      ${isBlocked} or (m.account_id <> u.id and exists (
        select from auth.users u join profiles p on p.user_id = u.id
        where u.id = m.account_id and (${isBlocked} or u.deleted_at is not null))) as is_blocked
    from auth.users u join profiles p on p.user_id = u.id
      left join account_members m on m.user_id = u.id and p.role = 'client'
    where u.id = ${personId} and u.deleted_at is null`.execute(db)
  return rows[0]
}

/**
 * Until the transaction ends, no role of this person changes; a change under way is waited for. It ends what this
 * transaction finishes (the triggers `end_exports_of_…`).
 */
export async function holdAsker(trx: Db, personId: string): Promise<void> {
  await sql`select hold_exports_of(${personId}::uuid)`.execute(trx)
}
