import { sql, type Selectable, type Updateable } from 'kysely'
import type { Role } from '#core/contract/accounts/account.ts'
import type { Metadata, UsersTable } from '#core/data/schema/account-tables.ts'
import type { Db } from '#core/data/database.ts'

export type User = Selectable<UsersTable>

/** A user to be created. */
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

/** Adds a user with its profile, without identities. @returns false if the address or phone is taken */
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
    .values({
      user_id: user.id,
      email: email ?? '',
      name,
      role,
      admin_role: role === 'admin' ? 'owner' : null,
    })
    .execute()
  return true
}

/** The user with this address, except users of a company's single sign-on. */
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

/**
 * The user who asked to change to this address or phone, found by the present one or by the new one. If several did, it
 * is the one who asked last.
 */
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

/**
 * Locks the user until the transaction ends: changes of one account, and enrolling, verifying or removing its
 * factors, happen one after another. Sessions may begin meanwhile. Take this lock before any session's.
 */
export async function lockUser(db: Db, userId: string): Promise<User | undefined> {
  return await selectLiving(db, userId).forNoKeyUpdate().executeTakeFirst()
}

/**
 * Locks the user like {@link lockUser}, and nothing new may refer to the user meanwhile: no session, factor or identity
 * begins.
 */
export async function lockUserAlone(db: Db, userId: string): Promise<User | undefined> {
  return await selectLiving(db, userId).forUpdate().executeTakeFirst()
}

function selectLiving(db: Db, userId: string) {
  return db.selectFrom('auth.users').selectAll().where('id', '=', userId).where('deleted_at', 'is', null)
}

/**
 * Changes columns of a user, and the address of its profile with its own. A taken address or phone is the
 * database's error 23505.
 */
export async function updateUser(db: Db, userId: string, changes: Updateable<UsersTable>): Promise<void> {
  await db
    .updateTable('auth.users')
    .set({
      // An agreement to one address is no agreement to another.
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

export async function markEmailConfirmed(db: Db, userId: string): Promise<void> {
  const now = sql<Date>`now()`
  await db
    .updateTable('auth.users')
    .set({ email_confirmed_at: now, updated_at: now })
    .where('id', '=', userId)
    .execute()
}

/** Bans for this many seconds from now; null ends a ban. */
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
