import { sql } from 'kysely'
import type { Metadata } from '#core/data/auth-tables.ts'
import type { Db } from '#core/data/database.ts'
import type { Identity, User } from './accounts.ts'

/** Until the transaction ends, nobody else decides whose this identity is. */
export async function lockIdentity(db: Db, provider: string, providerId: string): Promise<void> {
  const name = `identity ${provider} ${providerId}`
  await sql`select pg_advisory_xact_lock(hashtextextended(${name}, 0))`.execute(db)
}

export async function findIdentity(
  db: Db,
  provider: string,
  providerId: string,
): Promise<Identity | undefined> {
  return await db
    .selectFrom('auth.identities')
    .selectAll()
    .where('provider', '=', provider)
    .where('provider_id', '=', providerId)
    .executeTakeFirst()
}

/** Locks the user's row: what is decided of its ways in is decided one after another. */
export async function lockUser(db: Db, userId: string): Promise<User | undefined> {
  return await db
    .selectFrom('auth.users')
    .selectAll()
    .where('id', '=', userId)
    .where('deleted_at', 'is', null)
    .forUpdate()
    .executeTakeFirst()
}

export async function listIdentities(db: Db, userId: string): Promise<Identity[]> {
  return await db
    .selectFrom('auth.identities')
    .selectAll()
    .where('user_id', '=', userId)
    .orderBy('created_at')
    .orderBy('id')
    .execute()
}

/** The person came in by it, and this is what the provider said. */
export async function markIdentityUsed(
  db: Db,
  provider: string,
  providerId: string,
  said: { email: string | null; identity_data: Metadata },
): Promise<void> {
  const now = sql<Date>`now()`
  await db
    .updateTable('auth.identities')
    .set({
      email: said.email,
      identity_data: JSON.stringify(said.identity_data),
      last_sign_in_at: now,
      updated_at: now,
    })
    .where('provider', '=', provider)
    .where('provider_id', '=', providerId)
    .execute()
}

export async function markEmailConfirmed(db: Db, userId: string): Promise<void> {
  const now = sql<Date>`now()`
  await db
    .updateTable('auth.users')
    .set({ email_confirmed_at: now, updated_at: now })
    .where('id', '=', userId)
    .execute()
}

export async function deleteIdentity(db: Db, id: string): Promise<void> {
  await db.deleteFrom('auth.identities').where('id', '=', id).execute()
}

/** Lists the user's providers anew in its `app_metadata`, after one came or went. */
export async function refreshProviders(db: Db, userId: string): Promise<void> {
  const user = await db
    .selectFrom('auth.users')
    .select('app_metadata')
    .where('id', '=', userId)
    .executeTakeFirstOrThrow()
  const providers = [...new Set((await listIdentities(db, userId)).map(({ provider }) => provider))]
  const first = user.app_metadata['provider']
  const provider = typeof first === 'string' && providers.includes(first) ? first : providers[0]
  const { provider: _provider, providers: _providers, ...others } = user.app_metadata
  const named = provider === undefined ? {} : { provider, providers }
  await db
    .updateTable('auth.users')
    .set({ app_metadata: JSON.stringify({ ...others, ...named }), updated_at: sql<Date>`now()` })
    .where('id', '=', userId)
    .execute()
}

/**
 * Empties an account whose address nobody had confirmed, before the address's true owner moves in: whoever made it may still
 * know its password, hold its sessions, factors and identities (account pre-hijacking). A confirmed phone stays.
 */
export async function evictUnconfirmed(db: Db, user: User): Promise<void> {
  await db
    .deleteFrom('auth.identities')
    .where('user_id', '=', user.id)
    .$if(user.phone_confirmed_at !== null, (query) => query.where('provider', '<>', 'phone'))
    .execute()
  await db.deleteFrom('auth.sessions').where('user_id', '=', user.id).execute()
  await db.deleteFrom('auth.factors').where('user_id', '=', user.id).execute()
  await db.deleteFrom('auth.one_time_tokens').where('user_id', '=', user.id).execute()
  await db
    .updateTable('auth.users')
    .set({
      password_hash: null,
      new_email: null,
      new_phone: null,
      // What an invitation says of somebody was said by an administrator.
      ...(user.invited_at === null ? { user_metadata: '{}' } : {}),
    })
    .where('id', '=', user.id)
    .execute()
}
