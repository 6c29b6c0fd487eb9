import { sql, type Selectable, type Updateable } from 'kysely'
import type { Role } from '#core/contract/account.ts'
import type { IdentitiesTable, Metadata, UsersTable } from '#core/data/auth-tables.ts'
import type { Db } from '#core/data/database.ts'
import { listFactors, type Factor } from './factors.ts'

export type User = Selectable<UsersTable>
export type Identity = Selectable<IdentitiesTable>
export interface Account {
  user: User
  identities: Identity[]
  factors: Factor[]
}

/** Banned until later, or suspended by an administrator: everything of the account stops at once. */
const isBlocked = sql<boolean>`coalesce(u.banned_until > now(), false) or p.status <> 'active'`

/** A user that is to be. */
export interface NewUser {
  id: string
  /** normalised and valid; null for accounts without */
  email: string | null
  phone?: string | null
  password_hash: string | null
  isEmailConfirmed: boolean
  isPhoneConfirmed?: boolean
  app_metadata: Metadata
  user_metadata: Metadata
  is_anonymous?: boolean
  is_sso_user?: boolean
  role?: string
  profile: { name: string; role: Role }
}

/** Adds a user with its profile, without identities. @returns false when the address or phone is taken */
export async function insertUser(db: Db, user: NewUser): Promise<boolean> {
  const now = sql<Date>`now()`
  const { email, phone = null } = user
  const inserted = await db
    .insertInto('auth.users')
    .values({
      id: user.id,
      email,
      phone,
      password_hash: user.password_hash,
      email_confirmed_at: user.isEmailConfirmed ? now : null,
      phone_confirmed_at: user.isPhoneConfirmed === true ? now : null,
      app_metadata: JSON.stringify(user.app_metadata),
      user_metadata: JSON.stringify(user.user_metadata),
      is_anonymous: user.is_anonymous ?? false,
      is_sso_user: user.is_sso_user ?? false,
      ...(user.role === undefined ? {} : { role: user.role }),
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst()
  if (inserted === undefined) return false
  const { name, role } = user.profile
  await db
    .insertInto('profiles')
    .values({ user_id: user.id, email: email ?? '', name, role })
    .execute()
  return true
}

/** A way in of a user. `provider_id` is the provider's own id; the user's id for `email` and `phone`. */
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

/** What a password sign-in looks at. */
export async function findCredentials(db: Db, email: string) {
  return await db
    .selectFrom('auth.users as u')
    .innerJoin('profiles as p', 'p.user_id', 'u.id')
    .select(['u.id', 'u.password_hash', 'u.email_confirmed_at', isBlocked.as('is_blocked')])
    .where('u.email', '=', email)
    .where('u.is_sso_user', '=', false)
    .where('u.deleted_at', 'is', null)
    .executeTakeFirst()
}

/** The same, by phone (digits only). */
export async function findCredentialsByPhone(db: Db, phone: string) {
  return await db
    .selectFrom('auth.users as u')
    .innerJoin('profiles as p', 'p.user_id', 'u.id')
    .select(['u.id', 'u.password_hash', 'u.phone_confirmed_at', isBlocked.as('is_blocked')])
    .where('u.phone', '=', phone)
    .where('u.deleted_at', 'is', null)
    .executeTakeFirst()
}

/** The user with this address, not counting those of a company's single sign-on. */
export async function findUserByEmail(db: Db, email: string): Promise<User | undefined> {
  return await db
    .selectFrom('auth.users')
    .selectAll()
    .where('email', '=', email)
    .where('is_sso_user', '=', false)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
}

export async function findUserByPhone(db: Db, phone: string): Promise<User | undefined> {
  return await db
    .selectFrom('auth.users')
    .selectAll()
    .where('phone', '=', phone)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
}

/** Who has asked to have this address or phone, by the present one, or by the new one: then who asked last. */
export async function findUserInChange(
  db: Db,
  kind: 'email' | 'phone',
  address: string,
): Promise<User | undefined> {
  return await db
    .selectFrom('auth.users')
    .selectAll()
    .where((eb) => eb.or([eb(kind, '=', address), eb(`new_${kind}`, '=', address)]))
    .where(`new_${kind}`, 'is not', null)
    .where('is_sso_user', '=', false)
    .where('deleted_at', 'is', null)
    .orderBy(
      (eb) => eb(kind, '=', address),
      (order) => order.desc().nullsLast(),
    )
    .orderBy(`${kind}_change_sent_at`, (order) => order.desc().nullsLast())
    .limit(1)
    .executeTakeFirst()
}

/** Banned until later, or suspended by an administrator. */
export async function isUserBlocked(db: Db, userId: string): Promise<boolean> {
  const found = await db
    .selectFrom('auth.users as u')
    .innerJoin('profiles as p', 'p.user_id', 'u.id')
    .select(isBlocked.as('is_blocked'))
    .where('u.id', '=', userId)
    .executeTakeFirst()
  return found?.is_blocked ?? false
}

/** Changes columns of a user, and its profile's address with its own. A taken address or phone is the database's error 23505. */
export async function updateUser(db: Db, userId: string, changes: Updateable<UsersTable>): Promise<void> {
  await db
    .updateTable('auth.users')
    .set({
      // Whoever agreed to one address has not agreed to another.
      ...(changes.new_email === undefined
        ? {}
        : {
            email_change_confirmed: sql<'current' | 'new' | null>`
              case when new_email = ${changes.new_email} then email_change_confirmed end`,
          }),
      ...changes,
      updated_at: sql<Date>`now()`,
    })
    .where('id', '=', userId)
    .execute()
  if (changes.email === undefined) return
  await db
    .updateTable('profiles')
    .set({ email: changes.email ?? '', updated_at: sql<Date>`now()` })
    .where('user_id', '=', userId)
    .execute()
}

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

/** Keeps the same password in a better hash, unless it has been changed in the meantime. */
export async function replacePasswordHash(
  db: Db,
  userId: string,
  { from, to }: { from: string; to: string },
): Promise<void> {
  await db
    .updateTable('auth.users')
    .set({ password_hash: to })
    .where('id', '=', userId)
    .where('password_hash', '=', from)
    .execute()
}

/** The user, held until the transaction ends: changes of one account come one after another. */
export async function lockUser(db: Db, userId: string): Promise<User | undefined> {
  return await db
    .selectFrom('auth.users')
    .selectAll()
    .where('id', '=', userId)
    .where('deleted_at', 'is', null)
    .forNoKeyUpdate()
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
  return { user, identities, factors: await listFactors(db, userId) }
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
