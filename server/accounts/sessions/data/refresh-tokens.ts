import { sql, type Selectable } from 'kysely'
import type { RefreshTokensTable } from '#core/data/schema/account-tables.ts'
import type { Db } from '#core/data/database.ts'
import { REPLACED_TOKEN_HOURS } from '#server/accounts/auth-policy.ts'
import type { MintedToken } from '../refresh-token.ts'

export type RefreshToken = Selectable<RefreshTokensTable>

export async function insertRefreshToken(
  db: Db,
  row: { session_id: string; parent_id: string | null; minted: MintedToken },
): Promise<void> {
  const { token_hash, salt } = row.minted
  await db
    .insertInto('auth.refresh_tokens')
    .values({ session_id: row.session_id, parent_id: row.parent_id, token_hash, salt })
    .execute()
}

export async function findTokenByHash(db: Db, hash: Buffer): Promise<RefreshToken | undefined> {
  return await db
    .selectFrom('auth.refresh_tokens')
    .selectAll()
    .where('token_hash', '=', hash)
    .executeTakeFirst()
}

/** The token that replaced this one; undefined for the current token of a session. */
export async function findChildToken(db: Db, parentId: string): Promise<RefreshToken | undefined> {
  return await db
    .selectFrom('auth.refresh_tokens')
    .selectAll()
    .where('parent_id', '=', parentId)
    .executeTakeFirst()
}

export async function markReplaced(db: Db, tokenId: string): Promise<void> {
  await db
    .updateTable('auth.refresh_tokens')
    .set({ replaced_at: sql<Date>`clock_timestamp()` })
    .where('id', '=', tokenId)
    .execute()
}

/**
 * Whether the token was replaced within this many seconds, by the database's clock, which all servers share.
 */
export async function wasReplacedWithin(db: Db, tokenId: string, seconds: number): Promise<boolean> {
  const found = await db
    .selectFrom('auth.refresh_tokens')
    .select('id')
    .where('id', '=', tokenId)
    .where('replaced_at', '>', sql<Date>`clock_timestamp() - make_interval(secs => ${seconds})`)
    .executeTakeFirst()
  return found !== undefined
}

/** Replaces the session's chain of tokens with a new one; none of the old tokens works any more. */
export async function replaceAllTokens(db: Db, sessionId: string, minted: MintedToken): Promise<void> {
  await db.deleteFrom('auth.refresh_tokens').where('session_id', '=', sessionId).execute()
  await insertRefreshToken(db, { session_id: sessionId, parent_id: null, minted })
}

const MOST_FORGOTTEN = 20

/**
 * Deletes the session's tokens that were replaced long ago; if one came back it would be unknown. The current
 * token and its parent are never deleted.
 * @param parent the token that was just replaced
 */
export async function forgetReplacedTokens(db: Db, parent: RefreshToken): Promise<void> {
  const old = db
    .selectFrom('auth.refresh_tokens')
    .select('id')
    .where('session_id', '=', parent.session_id)
    .where('replaced_at', '<', sql<Date>`clock_timestamp() - make_interval(hours => ${REPLACED_TOKEN_HOURS})`)
    .where('id', '<>', parent.id)
    .orderBy('replaced_at')
    .limit(MOST_FORGOTTEN)
  await db.deleteFrom('auth.refresh_tokens').where('id', 'in', old).execute()
}
