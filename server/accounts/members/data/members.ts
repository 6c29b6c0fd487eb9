import { sql } from 'kysely'
import type { MemberRole } from '#core/contract/accounts/member-role.ts'
import { givenName } from '#core/data/accounts/named-client.ts'
import type { Db } from '#core/data/database.ts'

/** A person of an account, as stored. */
export interface StoredMember {
  user_id: string
  name: string
  email: string
  role: MemberRole
  joined_at: Date
  version: number
}

/** The people of an account in the order in which they joined; not a founder who has left. */
export async function listMembers(db: Db, account: string): Promise<StoredMember[]> {
  const { rows } = await sql<StoredMember>`
    select m.user_id, p.name, p.email::text, m.role, m.created_at as joined_at, m.version
    from (
      select user_id, role, created_at, version from account_members where account_id = ${account}
      union all
      select a.user_id, 'owner', a.created_at, 0 from client_accounts a
      where a.user_id = ${account} and not exists (select from account_members own where own.user_id = a.user_id)
    ) m join profiles p on p.user_id = m.user_id join auth.users u on u.id = m.user_id
    where m.role <> 'none' and u.deleted_at is null
    order by m.created_at, m.user_id`.execute(db)
  return rows
}

/**
 * Locks an account until the transaction ends, so that changes of its people happen one after another.
 * @returns its name for mails; undefined if there is no such account
 */
export async function lockAccountOfMembers(trx: Db, account: string): Promise<string | undefined> {
  const { rows } = await sql<{ name: string }>`
    select ${accountName} as name from client_accounts a join profiles p on p.user_id = a.user_id
    where a.user_id = ${account} for no key update of a`.execute(trx)
  return rows[0]?.name
}

/** SQL on an account `a` and its founder's profile `p`: what mails call the account. */
export const accountName = sql<string>`coalesce(nullif(a.business_name, ''), ${givenName('p')}, 'a client of Leadwire')`

/** Gives a person a role in the account, also the founder, who has no row at first. */
export async function setMemberRole(
  trx: Db,
  account: string,
  { user_id, role, by }: { user_id: string; role: MemberRole; by: string },
): Promise<void> {
  await trx
    .insertInto('account_members')
    .values({
      user_id,
      account_id: account,
      role,
      added_by: by,
      // A founder joined when the account began.
      created_at: sql<Date>`coalesce((select created_at from client_accounts
        where user_id = ${user_id}::uuid and user_id = ${account}::uuid), now())`,
    })
    .onConflict((conflict) =>
      conflict.column('user_id').doUpdateSet({
        role,
        version: sql<number>`account_members.version + 1`,
        updated_at: sql<Date>`now()`,
      }),
    )
    .execute()
}

/** Takes a person out of the account. A founder keeps a row that says so, because the account has their id. */
export async function deleteMember(trx: Db, account: string, userId: string, by: string): Promise<void> {
  if (userId === account) await setMemberRole(trx, account, { user_id: userId, role: 'none', by })
  else await trx.deleteFrom('account_members').where('user_id', '=', userId).execute()
}

/** The account of others, or the shared own one, that this person belongs to; undefined: none but their own, alone. */
export async function findAccountOf(db: Db, userId: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('account_members')
    .select('account_id')
    .where((eb) => eb.or([eb('user_id', '=', userId), eb('account_id', '=', userId)]))
    .limit(1)
    .executeTakeFirst()
  return row?.account_id
}

/** Whether a person's own account was ever used: money, orders, leads, webhooks or sources would be lost to them. */
export async function isAccountUsed(db: Db, userId: string): Promise<boolean> {
  const { rows } = await sql<{ is_used: boolean }>`
    select exists (select from balance_ledger where client_user_id = ${userId})
      or exists (select from payments where client_user_id = ${userId})
      or exists (select from orders where client_user_id = ${userId})
      or exists (select from client_webhook_configs where client_user_id = ${userId})
      or exists (select from lead_assignments where client_user_id = ${userId})
      or exists (select from leads where user_id = ${userId} or assigned_to = ${userId})
      or exists (select from sources where owner_user_id = ${userId}) as is_used`.execute(db)
  return rows[0]?.is_used ?? true
}
