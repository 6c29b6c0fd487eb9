import { sql, type Selectable } from 'kysely'
import type { OneTimeKind, OneTimeTokensTable } from '#core/data/auth-tables.ts'
import type { Db } from '#core/data/database.ts'

export type OneTimeToken = Selectable<OneTimeTokensTable>

/** Puts a new one in the place of the old one of its kind. */
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

/** Takes the token that a link carries; it never works again. Undefined when there is none, of another kind, or expired. */
export async function takeTokenOfLink(
  db: Db,
  linkHash: Buffer,
  kinds: readonly OneTimeKind[],
): Promise<OneTimeToken | undefined> {
  // The user's row first, as every change of an account does, or two of them could wait for each other.
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

/** Whose codes a wrong one may have been meant for. */
export async function findHoldersOfCode(
  db: Db,
  sentTo: string,
  kinds: readonly OneTimeKind[],
): Promise<string[]> {
  const holders = await db
    .selectFrom('auth.one_time_tokens')
    .select('user_id')
    .distinct()
    .where('sent_to', '=', sentTo)
    .where('kind', 'in', [...kinds])
    .execute()
  return holders.map(({ user_id }) => user_id)
}

/**
 * Judges a code that was typed in, in one statement, so that codes sent in parallel are counted one by one: the right one takes
 * the token, a wrong one is counted, and after `mostWrong` of them the token is gone.
 * @returns the token when the code was right and in time
 */
export async function takeTokenOfCode(
  db: Db,
  given: { sent_to: string; kinds: readonly OneTimeKind[]; code_mac: Buffer; mostWrong: number },
): Promise<OneTimeToken | undefined> {
  return await db.transaction().execute(async (trx) => {
    const live = await trx
      .selectFrom('auth.one_time_tokens')
      .selectAll()
      .where('sent_to', '=', given.sent_to)
      .where('kind', 'in', [...given.kinds])
      .where('code_expires_at', '>', sql<Date>`clock_timestamp()`)
      .orderBy('id')
      .forUpdate()
      .execute()
    const right = live.find(
      (token) => token.wrong_attempts < given.mostWrong && token.code_mac.equals(given.code_mac),
    )
    if (right !== undefined) {
      await trx.deleteFrom('auth.one_time_tokens').where('id', '=', right.id).execute()
      return right
    }
    if (live.length > 0) {
      await trx
        .updateTable('auth.one_time_tokens')
        .set((eb) => ({ wrong_attempts: eb('wrong_attempts', '+', 1) }))
        .where(
          'id',
          'in',
          live.map(({ id }) => id),
        )
        .execute()
    }
    return undefined
  })
}

/** Codes and links that a change of password, or of the address they went to, has made worthless. */
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
