import { sql } from 'kysely'
import type { MemberRole } from '#core/contract/accounts/member-role.ts'
import { hasOwnAccount } from '#core/data/accounts/own-account.ts'
import { adminRole } from '#core/data/accounts/profiles.ts'
import type { Db } from '#core/data/database.ts'
import { isBlocked } from '#core/data/accounts/is-blocked.ts'

/** SQL on `s`: the session has expired from inactivity; 0 means that sessions never do. */
export const hasRested = (inactivitySeconds: number) =>
  sql<boolean>`(${inactivitySeconds} > 0 and s.last_active_at < now() - make_interval(secs => ${inactivitySeconds}))`

/** SQL on `u`: a second factor is set up. */
const hasFactor = sql<boolean>`exists (select 1 from auth.factors f where f.user_id = u.id and f.status = 'verified')`

/** SQL on `u` and a member's row `m`: the account that the person acts for. */
const accountId = sql<string>`coalesce(m.account_id, u.id)`

/** SQL on `m`: what the person is in that account. */
const memberRole = sql<MemberRole>`coalesce(m.role, 'owner')`

/** SQL on `u`, `p` and `m`: an administrator has approved the account, or it is an administrator's. */
const isApproved = sql<boolean>`(p.role = 'admin' or exists (
  select 1 from client_accounts a where a.user_id = ${accountId} and a.status = 'active'))`

/** SQL on `u`, `p` and `m`: the person is blocked, or the account of others that they act for is blocked or erased. */
const isPrincipalBlocked = sql<boolean>`(${isBlocked} or (m.account_id <> u.id and exists (
  select 1 from auth.users u join profiles p on p.user_id = u.id
  where u.id = m.account_id and (${isBlocked} or u.deleted_at is not null))))`

/** The ids that a token names. */
export interface NamedSession {
  user_id: string
  session_id: string | null
}

export type FoundPrincipal = Awaited<ReturnType<typeof findPrincipals>>[number]

/**
 * The users of tokens and, if they still live, the tokens' sessions: all that requests need, in one query.
 * Answers in the order of the input.
 */
export async function findPrincipals(db: Db, named: readonly NamedSession[], inactivitySeconds: number) {
  const asked = sql<{ place: number; user_id: string; session_id: string | null }>`(
    select * from unnest(${named.map((one) => one.user_id)}::uuid[], ${named.map((one) => one.session_id)}::uuid[])
      with ordinality as t (user_id, session_id, place))`
  const rows = await db
    .selectFrom(asked.as('asked'))
    .innerJoin('auth.users as u', 'u.id', 'asked.user_id')
    .innerJoin('profiles as p', 'p.user_id', 'u.id')
    .leftJoin('auth.sessions as s', (join) =>
      join.onRef('s.user_id', '=', 'u.id').onRef('s.id', '=', 'asked.session_id'),
    )
    // Administrators are never members.
    .leftJoin('account_members as m', (join) =>
      join.onRef('m.user_id', '=', 'u.id').on('p.role', '=', 'client'),
    )
    .select([
      sql<number>`asked.place::int`.as('place'),
      'u.id as user_id',
      's.id as session_id',
      's.aal',
      'p.role',
      adminRole.as('admin_role'),
      'p.email',
      'u.is_anonymous',
      accountId.as('account_id'),
      memberRole.as('member_role'),
      isPrincipalBlocked.as('is_blocked'),
      hasRested(inactivitySeconds).as('has_rested'),
      hasFactor.as('has_factor'),
      isApproved.as('is_approved'),
      sql<boolean>`s.last_active_at < now() - interval '1 minute'`.as('needs_touch'),
    ])
    .where('u.deleted_at', 'is', null)
    .execute()
  const found = new Map(rows.map((row) => [row.place, row]))
  return named.map((_one, index) => found.get(index + 1))
}

/** Those of these sessions whose requests would be answered now, with what the person is in which account. */
export async function listLiveSessions(
  db: Db,
  sessionIds: readonly string[],
  inactivitySeconds: number,
): Promise<Map<string, { account_id: string; member_role: MemberRole }>> {
  const live = await db
    .selectFrom('auth.sessions as s')
    .innerJoin('auth.users as u', 'u.id', 's.user_id')
    .innerJoin('profiles as p', 'p.user_id', 'u.id')
    .leftJoin('account_members as m', (join) =>
      join.onRef('m.user_id', '=', 'u.id').on('p.role', '=', 'client'),
    )
    .select(['s.id', accountId.as('account_id'), memberRole.as('member_role')])
    .where(sql<boolean>`s.id = any(${[...sessionIds]}::uuid[])`)
    .where('u.deleted_at', 'is', null)
    .where(sql<boolean>`not (${isPrincipalBlocked} or ${hasRested(inactivitySeconds)})`)
    .where((row) => row.or([row('s.aal', '=', 'aal2'), row.not(hasFactor)]))
    .execute()
  return new Map(live.map(({ id, ...member }) => [id, member]))
}

/** The address of a client whose account is not erased; undefined for any other id, also of a member of another account. */
export async function findViewedClient(db: Db, id: string): Promise<{ email: string } | undefined> {
  return await db
    .selectFrom('client_accounts as a')
    .innerJoin('profiles as p', 'p.user_id', 'a.user_id')
    .innerJoin('auth.users as u', 'u.id', 'a.user_id')
    .select('p.email')
    .where('a.user_id', '=', id)
    .where('p.role', '=', 'client')
    .where('u.deleted_at', 'is', null)
    .where(hasOwnAccount)
    .executeTakeFirst()
}

export async function hasSession(db: Db, sessionId: string): Promise<boolean> {
  const found = await db
    .selectFrom('auth.sessions')
    .select('id')
    .where('id', '=', sessionId)
    .executeTakeFirst()
  return found !== undefined
}

/** Records that the session is in use; to the minute, so that most requests write nothing. */
export async function touchSession(db: Db, sessionId: string): Promise<void> {
  await db
    .updateTable('auth.sessions')
    .set({ last_active_at: sql<Date>`now()` })
    .where('id', '=', sessionId)
    .where('last_active_at', '<', sql<Date>`now() - interval '1 minute'`)
    .execute()
}
