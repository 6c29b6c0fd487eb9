import { sql } from 'kysely'
import type { AdminRole } from '#core/contract/accounts/admin-role.ts'
import { adminRole } from '#core/data/accounts/profiles.ts'
import type { Db } from '#core/data/database.ts'
import { isBlocked } from '#core/data/accounts/is-blocked.ts'

/** Any number that no other advisory lock uses. */
const OWNERS_LOCK = 20_261_129

/** The role of an administrator; null for a client, also for one who is invited as an administrator. */
export async function findRole(db: Db, userId: string): Promise<AdminRole | null> {
  const found = await db
    .selectFrom('profiles as p')
    .select(adminRole.as('role'))
    .where('p.user_id', '=', userId)
    .executeTakeFirst()
  return found?.role ?? null
}

/** Makes an account an administrator with this role; null makes it a client's again. */
export async function setRole(db: Db, userId: string, role: AdminRole | null): Promise<void> {
  await db
    .updateTable('profiles')
    .set({ role: role === null ? 'client' : 'admin', admin_role: role, updated_at: sql<Date>`now()` })
    .where('user_id', '=', userId)
    .execute()
}

/**
 * Whether nobody else could act as an owner. Until the transaction ends no other one can take an owner away, so two
 * owners cannot remove each other at the same time.
 */
export async function isLastOwner(trx: Db, userId: string): Promise<boolean> {
  await sql`select pg_advisory_xact_lock(${OWNERS_LOCK})`.execute(trx)
  if ((await findRole(trx, userId)) !== 'owner') return false
  const other = await trx
    .selectFrom('profiles as p')
    .innerJoin('auth.users as u', 'u.id', 'p.user_id')
    .select('p.user_id')
    .where('p.user_id', '<>', userId)
    .where(sql<boolean>`${adminRole} = 'owner'`)
    .where('u.deleted_at', 'is', null)
    .where(sql<boolean>`not (${isBlocked})`)
    .limit(1)
    .executeTakeFirst()
  return other === undefined
}
