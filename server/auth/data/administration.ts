import { sql } from 'kysely'
import type { Role } from '#core/contract/account.ts'
import type { Metadata } from '#core/data/auth-tables.ts'
import type { Db } from '#core/data/database.ts'
import { readAccount, type Account } from './accounts.ts'
import { lockFactorsOfUser, type Factor } from './factors.ts'
import { lowerSessionsOfFactor } from './session-levels.ts'

/** The product's role of a user; undefined where there is no such user. */
export async function findRole(db: Db, userId: string): Promise<Role | undefined> {
  const found = await db
    .selectFrom('profiles')
    .select('role')
    .where('user_id', '=', userId)
    .executeTakeFirst()
  return found?.role
}

export async function hasSession(db: Db, sessionId: string): Promise<boolean> {
  const found = await db
    .selectFrom('auth.sessions')
    .select('id')
    .where('id', '=', sessionId)
    .executeTakeFirst()
  return found !== undefined
}

/** The account, erased ones included, its row locked until the transaction ends; undefined where there is none. */
export async function lockAccount(db: Db, userId: string): Promise<Account | undefined> {
  const locked = await db
    .selectFrom('auth.users')
    .select('id')
    .where('id', '=', userId)
    .forUpdate()
    .executeTakeFirst()
  return locked === undefined ? undefined : await readAccount(db, userId)
}

export async function findAccount(db: Db, userId: string): Promise<Account | undefined> {
  const found = await db.selectFrom('auth.users').select('id').where('id', '=', userId).executeTakeFirst()
  return found === undefined ? undefined : await readAccount(db, userId)
}

/** A page of all accounts, newest first, with how many there are. */
export async function listAccounts(
  db: Db,
  { page, perPage }: { page: number; perPage: number },
): Promise<{ accounts: Account[]; total: number }> {
  const { total } = await db
    .selectFrom('auth.users')
    .select(sql<number>`count(*)::integer`.as('total'))
    .executeTakeFirstOrThrow()
  const users = await db
    .selectFrom('auth.users')
    .selectAll()
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(perPage)
    .offset((page - 1) * perPage)
    .execute()
  const ids = users.map(({ id }) => id)
  if (ids.length === 0) return { accounts: [], total }
  const identities = await db
    .selectFrom('auth.identities')
    .selectAll()
    .where('user_id', 'in', ids)
    .orderBy('created_at')
    .execute()
  const factors = await db
    .selectFrom('auth.factors')
    .selectAll()
    .where('user_id', 'in', ids)
    .orderBy('created_at')
    .execute()
  const accounts = users.map((user) => ({
    user,
    identities: identities.filter(({ user_id }) => user_id === user.id),
    factors: factors.filter(({ user_id }) => user_id === user.id),
  }))
  return { accounts, total }
}

/** Makes the identity of an address or phone say what the account now says, and adds it where it was missing. */
export async function putIdentity(
  db: Db,
  identity: { user_id: string; provider: 'email' | 'phone'; email: string | null; identity_data: Metadata },
): Promise<void> {
  const identity_data = JSON.stringify(identity.identity_data)
  await db
    .insertInto('auth.identities')
    .values({ ...identity, identity_data, provider_id: identity.user_id })
    .onConflict((conflict) =>
      conflict
        .columns(['provider', 'provider_id'])
        .doUpdateSet({ identity_data, email: identity.email, updated_at: sql<Date>`now()` }),
    )
    .execute()
}

/** Bans for so many seconds from now; null ends a ban. */
export async function setBan(db: Db, userId: string, seconds: number | null): Promise<void> {
  const now = sql<Date>`now()`
  await db
    .updateTable('auth.users')
    .set({
      banned_until: seconds === null ? null : sql<Date>`now() + make_interval(secs => ${seconds})`,
      updated_at: now,
    })
    .where('id', '=', userId)
    .execute()
}

/** Takes a factor from a user, and the assurance that it gave from the user's sessions. */
export async function deleteFactorOfUser(
  db: Db,
  { user_id, factor_id }: { user_id: string; factor_id: string },
): Promise<Factor | undefined> {
  await lockFactorsOfUser(db, user_id)
  const deleted = await db
    .deleteFrom('auth.factors')
    .where('id', '=', factor_id)
    .where('user_id', '=', user_id)
    .returningAll()
    .executeTakeFirst()
  if (deleted !== undefined) await lowerSessionsOfFactor(db, factor_id)
  return deleted
}

/** Deletes the account, and by cascade all that is its own. What others still need (leads, sources) makes the database refuse. */
export async function deleteAccount(db: Db, userId: string): Promise<void> {
  await db.deleteFrom('auth.users').where('id', '=', userId).execute()
}

/**
 * Takes the person out of the account and leaves its id, so that leads and their history hold: no address, phone, name,
 * password, way in or session is left, and its webhooks and the keys of its sources are switched off.
 */
export async function eraseAccount(db: Db, userId: string): Promise<void> {
  const { email } = await db
    .selectFrom('auth.users')
    .select('email')
    .where('id', '=', userId)
    .executeTakeFirstOrThrow()
  if (email !== null) await db.deleteFrom('auth.sign_in_attempts').where('email', '=', email).execute()
  for (const table of [
    'auth.identities',
    'auth.sessions',
    'auth.one_time_tokens',
    'auth.factors',
    'auth.flows',
    'auth.security_events',
  ] as const)
    await db.deleteFrom(table).where('user_id', '=', userId).execute()
  await db.deleteFrom('mails').where('recipient_user_id', '=', userId).execute()
  const now = sql<Date>`now()`
  await db
    .updateTable('client_webhook_configs')
    .set({ is_active: false, updated_at: now })
    .where('client_user_id', '=', userId)
    .execute()
  await db
    .updateTable('sources')
    .set({ revoked_at: sql<Date>`coalesce(revoked_at, now())` })
    .where('owner_user_id', '=', userId)
    .execute()
  await db
    .updateTable('profiles')
    .set({ email: '', name: '', status: 'suspended', updated_at: now })
    .where('user_id', '=', userId)
    .execute()
  await db
    .updateTable('auth.users')
    .set({
      email: null,
      phone: null,
      password_hash: null,
      new_email: null,
      new_phone: null,
      app_metadata: '{}',
      user_metadata: '{}',
      deleted_at: sql<Date>`coalesce(deleted_at, now())`,
      updated_at: now,
    })
    .where('id', '=', userId)
    .execute()
}
