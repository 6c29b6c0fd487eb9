import { sql, type Selectable } from 'kysely'
import type { IdentitiesTable, Metadata } from '#core/data/schema/account-tables.ts'
import type { Db } from '#core/data/database.ts'

export type Identity = Selectable<IdentitiesTable>

/** Locks the identity until the transaction ends, so that nobody else decides whose it is. */
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

export async function listIdentities(db: Db, userId: string): Promise<Identity[]> {
  return await db
    .selectFrom('auth.identities')
    .selectAll()
    .where('user_id', '=', userId)
    .orderBy('created_at')
    .orderBy('id')
    .execute()
}

/**
 * Adds an identity to a user. `provider_id` is the provider's own id; the user's id for `email` and `phone`.
 */
export async function insertIdentity(
  db: Db,
  identity: {
    user_id: string
    provider: string
    provider_id: string
    email: string | null
    identity_data: Metadata
  },
): Promise<void> {
  await db
    .insertInto('auth.identities')
    .values({ ...identity, identity_data: JSON.stringify(identity.identity_data) })
    .execute()
}

/**
 * Makes the identity of an address or phone agree with the account, and adds it if it was missing; its other
 * data stay.
 */
export async function putIdentity(
  db: Db,
  identity: { user_id: string; provider: 'email' | 'phone'; email: string | null; identity_data: Metadata },
): Promise<void> {
  const identity_data = JSON.stringify(identity.identity_data)
  await db
    .insertInto('auth.identities')
    .values({ ...identity, identity_data, provider_id: identity.user_id })
    .onConflict((conflict) =>
      conflict.columns(['provider', 'provider_id']).doUpdateSet({
        identity_data: sql<string>`identities.identity_data || excluded.identity_data`,
        email: identity.email,
        updated_at: sql<Date>`now()`,
      }),
    )
    .execute()
}

/** Records that the person signed in by this identity, and what the provider said. */
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

export async function markSignedIn(db: Db, userId: string): Promise<void> {
  const now = sql<Date>`now()`
  await db.updateTable('auth.users').set({ last_sign_in_at: now }).where('id', '=', userId).execute()
  await db
    .updateTable('auth.identities')
    .set({ last_sign_in_at: now })
    .where('user_id', '=', userId)
    .where('provider', '=', 'email')
    .execute()
}

export async function deleteIdentity(db: Db, id: string): Promise<void> {
  await db.deleteFrom('auth.identities').where('id', '=', id).execute()
}

/** Lists the user's providers again in its `app_metadata`, after one was added or removed. */
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
