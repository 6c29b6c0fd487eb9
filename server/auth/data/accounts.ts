import { sql, type Selectable } from 'kysely'
import type { Role } from '#core/contract/account.ts'
import type { IdentitiesTable, Metadata, UsersTable } from '#core/data/auth-tables.ts'
import type { Db } from '#core/data/database.ts'

export type User = Selectable<UsersTable>
export type Identity = Selectable<IdentitiesTable>
export interface Account {
  user: User
  identities: Identity[]
}

/** Banned until later, or suspended by an administrator: everything of the account stops at once. */
const isBlocked = sql<boolean>`coalesce(u.banned_until > now(), false) or p.status <> 'active'`

/** Adds a confirmed user with an e-mail identity and a profile. Answers undefined when the address is taken. */
export async function insertAccount(
  db: Db,
  account: {
    id: string
    email: string
    password_hash: string
    user_metadata: Metadata
    name: string
    role: Role
  },
): Promise<{ id: string } | undefined> {
  const { id, email } = account
  const user = await db
    .insertInto('auth.users')
    .values({
      id,
      email,
      password_hash: account.password_hash,
      email_confirmed_at: sql<Date>`now()`,
      app_metadata: JSON.stringify({ provider: 'email', providers: ['email'] }),
      user_metadata: JSON.stringify(account.user_metadata),
    })
    .onConflict((conflict) => conflict.column('email').doNothing())
    .returning('id')
    .executeTakeFirst()
  if (user === undefined) return undefined
  const identityData = JSON.stringify({ sub: id, email, email_verified: true, phone_verified: false })
  await db
    .insertInto('auth.identities')
    .values({ user_id: id, provider: 'email', provider_id: id, identity_data: identityData })
    .execute()
  await db
    .insertInto('profiles')
    .values({ user_id: id, email, name: account.name, role: account.role })
    .execute()
  return user
}

/** What a password sign-in looks at. */
export async function findCredentials(db: Db, email: string) {
  return await db
    .selectFrom('auth.users as u')
    .innerJoin('profiles as p', 'p.user_id', 'u.id')
    .select(['u.id', 'u.password_hash', 'u.email_confirmed_at', isBlocked.as('is_blocked')])
    .where('u.email', '=', email)
    .where('u.deleted_at', 'is', null)
    .executeTakeFirst()
}

/** A token's user and, where it still lives, the token's session: all that a request must know, in one query. */
export async function findPrincipal(db: Db, userId: string, sessionId: string | null) {
  return await db
    .selectFrom('auth.users as u')
    .innerJoin('profiles as p', 'p.user_id', 'u.id')
    .leftJoin('auth.sessions as s', (join) => join.onRef('s.user_id', '=', 'u.id').on('s.id', '=', sessionId))
    .select(['u.id as user_id', 's.id as session_id', 'p.role', 'p.email', isBlocked.as('is_blocked')])
    .where('u.id', '=', userId)
    .where('u.deleted_at', 'is', null)
    .executeTakeFirst()
}

/** The user with its identities, for the wire. */
export async function readAccount(db: Db, userId: string): Promise<Account> {
  const user = await db
    .selectFrom('auth.users')
    .selectAll()
    .where('id', '=', userId)
    .executeTakeFirstOrThrow()
  const identities = await db
    .selectFrom('auth.identities')
    .selectAll()
    .where('user_id', '=', userId)
    .orderBy('created_at')
    .execute()
  return { user, identities }
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

export async function hasAccounts(db: Db): Promise<boolean> {
  const found = await db.selectFrom('auth.users').select('id').limit(1).executeTakeFirst()
  return found !== undefined
}
