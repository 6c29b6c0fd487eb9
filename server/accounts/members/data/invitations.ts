import { sql } from 'kysely'
import {
  GIVEN_ROLES,
  mayManage,
  type GivenRole,
  type MemberRole,
} from '#core/contract/accounts/member-role.ts'
import type { MemberInvitation } from '#core/contract/accounts/members.ts'
import { hasOwnAccount } from '#core/data/accounts/own-account.ts'
import { memberName } from '#core/data/accounts/named-client.ts'
import type { Db } from '#core/data/database.ts'
import { accountName } from './members.ts'

type Stored = Omit<MemberInvitation, 'created_at' | 'expires_at'> & { created_at: Date; expires_at: Date }

const LISTED = sql`i.id, i.email, i.role, ${memberName('p')} as invited_by_name, i.created_at, i.expires_at`

/** The invitations of an account that nobody has accepted or withdrawn, newest first. */
export async function listInvitations(db: Db, account: string): Promise<MemberInvitation[]> {
  const { rows } = await sql<Stored>`
    select ${LISTED} from account_invitations i left join profiles p on p.user_id = i.invited_by
    where i.account_id = ${account} and i.accepted_at is null and i.withdrawn_at is null
    order by i.created_at desc, i.id desc`.execute(db)
  return rows.map((row) => ({
    ...row,
    created_at: row.created_at.toISOString(),
    expires_at: row.expires_at.toISOString(),
  }))
}

/** How many invitations of an account wait, and how many it sent within a day. */
export async function countInvitations(db: Db, account: string): Promise<{ open: number; today: number }> {
  const { rows } = await sql<{ open: number; today: number }>`
    select count(*) filter (where accepted_at is null and withdrawn_at is null and expires_at > now())::int as open,
      count(*) filter (where created_at > now() - interval '1 day')::int as today
    from account_invitations where account_id = ${account}`.execute(db)
  return rows[0] ?? { open: 0, today: 0 }
}

/** Adds an invitation, and removes those of the account that ended or expired over a month ago. @returns its end */
export async function insertInvitation(
  trx: Db,
  given: {
    id: string
    account_id: string
    email: string
    role: GivenRole
    token_hash: Buffer
    invited_by: string
    days: number
  },
): Promise<Date> {
  const { days, ...row } = given
  await sql`
    delete from account_invitations where account_id = ${row.account_id}
      and coalesce(accepted_at, withdrawn_at, expires_at) < now() - interval '30 days'`.execute(trx)
  const { expires_at } = await trx
    .insertInto('account_invitations')
    .values({ ...row, expires_at: sql<Date>`now() + make_interval(days => ${days})` })
    .returning('expires_at')
    .executeTakeFirstOrThrow()
  return expires_at
}

/** Which waiting invitations are withdrawn: one, those of an address, or those that a person sent, of all roles or one. */
export type Withdrawn = { id: string } | { email: string } | { invited_by: string; role?: GivenRole }

/** Withdraws waiting invitations of an account. @returns their roles */
export async function withdrawInvitations(trx: Db, account: string, which: Withdrawn): Promise<GivenRole[]> {
  const rows = await trx
    .updateTable('account_invitations')
    .set({ withdrawn_at: sql<Date>`now()` })
    .where('account_id', '=', account)
    .where((eb) => eb.and(which))
    .where('accepted_at', 'is', null)
    .where('withdrawn_at', 'is', null)
    .returning('role')
    .execute()
  return rows.map(({ role }) => role)
}

/** Withdraws what a person invited to roles that nobody with this role may give. */
export async function withdrawBeyond(
  trx: Db,
  account: string,
  { invited_by, role }: { invited_by: string; role: MemberRole },
): Promise<void> {
  for (const beyond of GIVEN_ROLES.filter((given) => !mayManage(role, given)))
    await withdrawInvitations(trx, account, { invited_by, role: beyond })
}

/** The role that a waiting invitation gives; undefined if the account has no such invitation. */
export async function findWaitingRole(db: Db, account: string, id: string): Promise<GivenRole | undefined> {
  const row = await db
    .selectFrom('account_invitations')
    .select('role')
    .where('account_id', '=', account)
    .where('id', '=', id)
    .where('accepted_at', 'is', null)
    .where('withdrawn_at', 'is', null)
    .executeTakeFirst()
  return row?.role
}

/** An invitation as the person sees it who opens its link. */
export interface OpenedInvitation {
  id: string
  account_id: string
  account_name: string
  email: string
  role: GivenRole
  invited_by: string | null
  invited_by_name: string | null
  expires_at: Date
  accepted_at: Date | null
  is_expired: boolean
  /** the account is suspended, banned or erased */
  is_blocked: boolean
}

/**
 * Finds an invitation by the hash of its token, unless it was withdrawn, or the account's founder is an administrator or
 * has joined another account since.
 */
export async function findInvitation(db: Db, hash: Buffer): Promise<OpenedInvitation | undefined> {
  const { rows } = await sql<OpenedInvitation>`
    select i.id, i.account_id, ${accountName} as account_name, i.email, i.role, i.invited_by,
      ${memberName('inviter')} as invited_by_name, i.expires_at, i.accepted_at, i.expires_at <= now() as is_expired,
      p.status <> 'active' or coalesce(u.banned_until > now(), false) or u.deleted_at is not null as is_blocked
    from account_invitations i join client_accounts a on a.user_id = i.account_id
      join profiles p on p.user_id = i.account_id join auth.users u on u.id = i.account_id
      left join profiles inviter on inviter.user_id = i.invited_by
    where i.token_hash = ${hash} and i.withdrawn_at is null and p.role = 'client' and ${hasOwnAccount}`.execute(
    db,
  )
  return rows[0]
}

/** Marks an invitation as accepted. */
export async function markAccepted(trx: Db, id: string): Promise<void> {
  await trx
    .updateTable('account_invitations')
    .set({ accepted_at: sql<Date>`now()` })
    .where('id', '=', id)
    .execute()
}
