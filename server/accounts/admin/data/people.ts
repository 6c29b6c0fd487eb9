import { sql } from 'kysely'
import type { AdminPerson } from '#core/contract/accounts/admin-people.ts'
import type { Db } from '#core/data/database.ts'
import { isBlocked } from '#core/data/accounts/is-blocked.ts'
import { hasRested } from '#server/identity/data/principals.ts'

const MOST_LISTED = 500

/** SQL on `p`: an administrator, or invited as one. */
const isAdministrator = sql<boolean>`(p.role = 'admin' or p.admin_role is not null)`

/** Administrators and people who are invited as such, in the order in which they came. */
export async function listPeople(db: Db, inactivitySeconds: number): Promise<AdminPerson[]> {
  const rows = await selectPeople(db, inactivitySeconds)
    .where(isAdministrator)
    .orderBy('u.created_at')
    .orderBy('u.id')
    .limit(MOST_LISTED)
    .execute()
  return rows.map(describe)
}

/** Any account, whatever its role; undefined if there is none, or only an erased one. */
export async function findPerson(
  db: Db,
  userId: string,
  inactivitySeconds: number,
): Promise<AdminPerson | undefined> {
  const row = await selectPeople(db, inactivitySeconds).where('u.id', '=', userId).executeTakeFirst()
  return row && describe(row)
}

function selectPeople(db: Db, inactivitySeconds: number) {
  return db
    .selectFrom('auth.users as u')
    .innerJoin('profiles as p', 'p.user_id', 'u.id')
    .select([
      'u.id as user_id',
      'p.email',
      'p.name',
      'u.last_sign_in_at',
      'u.created_at',
      sql<AdminPerson['admin_role']>`case when p.role = 'admin' then coalesce(p.admin_role, 'owner')
        else p.admin_role end`.as('admin_role'),
      sql<AdminPerson['status']>`case when ${isBlocked} then 'blocked'
        when p.role = 'client' and p.admin_role is not null then 'invited' else 'active' end`.as('status'),
      sql<boolean>`exists (select from auth.factors f where f.user_id = u.id and f.status = 'verified')`.as(
        'has_second_factor',
      ),
      sql<number>`(select count(*)::int from auth.sessions s
        where s.user_id = u.id and not ${hasRested(inactivitySeconds)})`.as('sessions'),
    ])
    .where('u.deleted_at', 'is', null)
}

function describe({
  last_sign_in_at: signedIn,
  created_at: createdAt,
  ...row
}: Omit<AdminPerson, 'last_sign_in_at' | 'created_at'> & {
  last_sign_in_at: Date | null
  created_at: Date
}): AdminPerson {
  return { ...row, last_sign_in_at: signedIn?.toISOString() ?? null, created_at: createdAt.toISOString() }
}

/** The person's sessions, except the one to keep, if any. */
export async function countSessions(db: Db, userId: string, keep: string | null): Promise<number> {
  const { count } = await db
    .selectFrom('auth.sessions')
    .select(sql<number>`count(*)::int`.as('count'))
    .where('user_id', '=', userId)
    .$if(keep !== null, (query) => query.where('id', '<>', keep))
    .executeTakeFirstOrThrow()
  return count
}
