import { sql } from 'kysely'
import type { Role } from '#core/contract/accounts/account.ts'
import type { Db } from '#core/data/database.ts'
import { isBlocked } from '#server/accounts/passwords/data/blocks.ts'

/**
 * A token's user and, where it still lives, the token's session: all that a request must know, in one query.
 * `has_rested`: nothing was asked in its name for longer than a session may rest.
 */
export async function findPrincipal(
  db: Db,
  userId: string,
  sessionId: string | null,
  inactivitySeconds: number,
) {
  const restsTooLong = sql<boolean>`${inactivitySeconds} > 0 and
    s.last_active_at < now() - make_interval(secs => ${inactivitySeconds})`
  return await db
    .selectFrom('auth.users as u')
    .innerJoin('profiles as p', 'p.user_id', 'u.id')
    .leftJoin('auth.sessions as s', (join) => join.onRef('s.user_id', '=', 'u.id').on('s.id', '=', sessionId))
    .select([
      'u.id as user_id',
      's.id as session_id',
      's.aal',
      'p.role',
      'p.email',
      'u.is_anonymous',
      isBlocked.as('is_blocked'),
      restsTooLong.as('has_rested'),
      sql<boolean>`exists (select 1 from auth.factors f where f.user_id = u.id and f.status = 'verified')`.as(
        'has_factor',
      ),
      sql<boolean>`s.last_active_at < now() - interval '1 minute'`.as('needs_touch'),
    ])
    .where('u.id', '=', userId)
    .where('u.deleted_at', 'is', null)
    .executeTakeFirst()
}

/** The product's role of a user; undefined where there is no such user. */
export async function findRole(db: Db, userId: string): Promise<Role | undefined> {
  const found = await db
    .selectFrom('profiles')
    .select('role')
    .where('user_id', '=', userId)
    .executeTakeFirst()
  return found?.role
}

export async function setRole(db: Db, userId: string, role: Role): Promise<void> {
  await db
    .updateTable('profiles')
    .set({ role, updated_at: sql<Date>`now()` })
    .where('user_id', '=', userId)
    .execute()
}
