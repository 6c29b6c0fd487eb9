import { sql } from 'kysely'
import type { Db } from '#core/data/database.ts'
import { listFactors, type Factor } from '#server/accounts/factors/data/factors.ts'
import { listIdentities, type Identity } from './identities.ts'
import type { User } from './users.ts'

export interface Account {
  user: User
  identities: Identity[]
  factors: Factor[]
  /** the account of others to which the person belongs; left out in lists */
  memberOf?: string | undefined
}

/** The user with its identities, for the wire. */
export async function readAccount(db: Db, userId: string): Promise<Account> {
  const user = await db
    .selectFrom('auth.users')
    .selectAll()
    .where('id', '=', userId)
    .executeTakeFirstOrThrow()
  const member = await db
    .selectFrom('account_members')
    .select('account_id')
    .where('user_id', '=', userId)
    .executeTakeFirst()
  return {
    user,
    identities: await listIdentities(db, userId),
    factors: await listFactors(db, userId),
    memberOf: member?.account_id,
  }
}

/**
 * The account, erased ones included, its row locked until the transaction ends; undefined if there is none.
 */
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

/** A page of all accounts, newest first, with their total number. */
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

export async function hasAccounts(db: Db): Promise<boolean> {
  const found = await db.selectFrom('auth.users').select('id').limit(1).executeTakeFirst()
  return found !== undefined
}
