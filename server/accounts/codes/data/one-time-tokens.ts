import { sql, type Selectable } from 'kysely'
import type { OneTimeKind, OneTimeTokensTable } from '#core/data/schema/proof-tables.ts'
import type { Db } from '#core/data/database.ts'
import { countWrongCode, holderOf, isSpent } from './wrong-codes.ts'

export type OneTimeToken = Selectable<OneTimeTokensTable>

/** Replaces the token of the same kind with a new one. */
export async function replaceOneTimeToken(
  db: Db,
  token: {
    user_id: string
    kind: OneTimeKind
    sent_to: string
    code_mac: Buffer
    link_hash: Buffer | null
    flow_id: string | null
    codeSeconds: number
    linkSeconds: number
  },
): Promise<{ code_expires_at: Date; link_expires_at: Date }> {
  const { codeSeconds, linkSeconds, ...columns } = token
  const inSeconds = (seconds: number) => sql<Date>`clock_timestamp() + make_interval(secs => ${seconds})`
  const values = {
    ...columns,
    wrong_attempts: 0,
    created_at: sql<Date>`clock_timestamp()`,
    code_expires_at: inSeconds(codeSeconds),
    link_expires_at: inSeconds(linkSeconds),
  }
  const { user_id: _user, kind: _kind, ...changes } = values
  return await db
    .insertInto('auth.one_time_tokens')
    .values(values)
    .onConflict((conflict) => conflict.columns(['user_id', 'kind']).doUpdateSet(changes))
    .returning(['code_expires_at', 'link_expires_at'])
    .executeTakeFirstOrThrow()
}

/**
 * Takes the token that a link carries; it never works again. Undefined if there is none, it is of another
 * kind, or it has expired.
 */
export async function takeTokenOfLink(
  db: Db,
  linkHash: Buffer,
  kinds: readonly OneTimeKind[],
): Promise<OneTimeToken | undefined> {
  // Locks the user's row first, as every change of an account does; another order could deadlock.
  await sql`
    select u.id from auth.users u join auth.one_time_tokens t on t.user_id = u.id
    where t.link_hash = ${linkHash} for no key update of u`.execute(db)
  return await db
    .deleteFrom('auth.one_time_tokens')
    .where('link_hash', '=', linkHash)
    .where('kind', 'in', [...kinds])
    .where('link_expires_at', '>', sql<Date>`clock_timestamp()`)
    .returningAll()
    .executeTakeFirst()
}

interface TypedCode {
  sent_to: string
  kinds: readonly OneTimeKind[]
  /** the hashes that the code may have */
  code_macs: readonly Buffer[]
  mostWrong: number
}

/**
 * Whether any code could be right. If none could, nothing needs a lock: each guess of a flood costs only this
 * read.
 */
export async function hasLiveCode(db: Db, given: Omit<TypedCode, 'code_macs'>): Promise<boolean> {
  return (await findLive(db, given).limit(1).execute()).length > 0
}

/**
 * Judges a typed code, holding the lock of the accounts that it may be meant for, so that codes sent in
 * parallel are counted one by one. The right code takes the token; a wrong one is counted. After `mostWrong`
 * wrong codes, or the account's limit of a day, no code is right. In the caller's transaction.
 * @returns the token if the code was right and in time; else the user for whom a wrong try was counted, and
 * whether it was the day's last
 */
export async function takeTokenOfCode(
  db: Db,
  given: TypedCode,
): Promise<
  | { token: OneTimeToken; wrongFor?: never }
  | { token?: never; wrongFor: { user_id: string; isLast: boolean }[] }
> {
  const seen = await findLive(db, given).execute()
  if (seen.length === 0) return { wrongFor: [] }
  const owners = [...new Set(seen.map(({ user_id }) => user_id))]
  // Locks the user's row first, as every change of an account does; another order could deadlock.
  await sql`
    select id from auth.users where id = any(${owners}::uuid[]) order by id for no key update`.execute(db)
  const live = await findLive(db, given).where('user_id', 'in', owners).forUpdate().execute()
  const token = live.find(({ code_mac }) => given.code_macs.some((mac) => mac.equals(code_mac)))
  if (token !== undefined) {
    await db.deleteFrom('auth.one_time_tokens').where('id', '=', token.id).execute()
    return { token }
  }
  const ids = live.map(({ id }) => id)
  if (ids.length === 0) return { wrongFor: [] }
  await db
    .updateTable('auth.one_time_tokens')
    .set((eb) => ({ wrong_attempts: eb('wrong_attempts', '+', 1) }))
    .where('id', 'in', ids)
    .execute()
  const wrongFor = new Map<string, boolean>()
  for (const { user_id, kind } of live) {
    const isLast = await countWrongCode(db, { holder: holderOf(user_id), purpose: kind })
    wrongFor.set(user_id, isLast || wrongFor.get(user_id) === true)
  }
  return { wrongFor: [...wrongFor].map(([user_id, isLast]) => ({ user_id, isLast })) }
}

function findLive(db: Db, { sent_to, kinds, mostWrong }: Omit<TypedCode, 'code_macs'>) {
  return db
    .selectFrom('auth.one_time_tokens')
    .selectAll()
    .where('sent_to', '=', sent_to)
    .where('kind', 'in', [...kinds])
    .where('code_expires_at', '>', sql<Date>`clock_timestamp()`)
    .where('wrong_attempts', '<', mostWrong)
    .where((eb) => eb.not(isSpent(sql`uuid_send(user_id)`, sql`kind`)))
    .orderBy('id')
}

/** Deletes the codes and links that a change of password or address has made void. */
export async function deleteOneTimeTokens(
  db: Db,
  userId: string,
  kinds?: readonly OneTimeKind[],
): Promise<void> {
  await db
    .deleteFrom('auth.one_time_tokens')
    .where('user_id', '=', userId)
    .$if(kinds !== undefined, (query) => query.where('kind', 'in', [...(kinds ?? [])]))
    .execute()
}
