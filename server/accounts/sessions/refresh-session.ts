import { sql } from 'kysely'
import type { Db } from '#core/data/database.ts'
import type { AuthContext } from '../auth-context.ts'
import { AuthError } from '../wire/auth-error.ts'
import { REFRESH_LOCK_SECONDS } from '../auth-policy.ts'
import type { Caller } from '#server/identity/caller.ts'
import { readAccount } from '../people/data/accounts.ts'
import { writeAudit } from '../audit/audit-log.ts'
import { findLiveSession } from '#server/identity/find-live-session.ts'
import {
  findChildToken,
  findTokenByHash,
  forgetReplacedTokens,
  insertRefreshToken,
  markReplaced,
  wasReplacedWithin,
  type RefreshToken,
} from './data/refresh-tokens.ts'
import { deleteSession, lockSession, markRefreshed } from './data/sessions.ts'
import type { LiveSession } from './describe-session.ts'
import { deriveToken, hashToken, mintChildToken } from './refresh-token.ts'

type Outcome = LiveSession | 'not_found' | 'banned' | 'inactive' | 'already_used'

/**
 * Trades a refresh token for the next one. Refreshes of one session wait for its row, so a token shown twenty
 * times at once is rotated once, and all callers get the same answer.
 */
export async function refreshSession(
  context: AuthContext,
  token: string,
  caller: Caller,
): Promise<LiveSession> {
  // A reused token is an outcome, not an exception: the transaction that ends the session has to commit.
  const outcome = await context.db
    .transaction()
    .execute((trx) => rotate(trx, token, caller, context.config))
    .catch(refuseWhenLocked)
  switch (outcome) {
    case 'not_found':
      throw new AuthError(400, 'refresh_token_not_found', 'Invalid Refresh Token: Refresh Token Not Found')
    case 'banned':
      throw new AuthError(400, 'user_banned', 'Invalid Refresh Token: User Banned')
    case 'inactive':
      throw new AuthError(400, 'session_expired', 'Invalid Refresh Token: Session Expired (Inactivity)')
    case 'already_used':
      throw new AuthError(400, 'refresh_token_already_used', 'Invalid Refresh Token: Already Used')
    default:
      return outcome
  }
}

async function rotate(
  db: Db,
  token: string,
  caller: Caller,
  config: AuthContext['config'],
): Promise<Outcome> {
  await sql`set local lock_timeout = ${sql.lit(`${REFRESH_LOCK_SECONDS}s`)}`.execute(db)
  const hash = hashToken(token)
  const known = await findTokenByHash(db, hash)
  const session = known === undefined ? undefined : await lockSession(db, known.session_id)
  // Read again under the lock: the previous holder may have replaced or removed the token.
  const shown = session === undefined ? undefined : await findTokenByHash(db, hash)
  if (session === undefined || shown === undefined) return 'not_found'
  const verdict = await findLiveSession({ config, db }, session.user_id, session.id)
  const { state } = verdict
  // This wire reports a block before inactivity.
  if (state === 'no_user' || state === 'blocked' || (state === 'rested' && verdict.is_blocked))
    return 'banned'
  if (state === 'rested') {
    const { id, user_id } = session
    const details = { reason: 'inactivity' }
    await writeAudit(db, { action: 'session_expired', user_id, session_id: id, caller, details })
    await deleteSession(db, session.id)
    return 'inactive'
  }

  const current = await replaceToken(db, token, shown, config.auth.refreshReuseSeconds)
  if (current === undefined) {
    await writeAudit(db, {
      action: 'token_reuse_detected',
      user_id: session.user_id,
      session_id: session.id,
      caller,
    })
    await deleteSession(db, session.id)
    return 'already_used'
  }
  await markRefreshed(db, session.id)
  return { account: await readAccount(db, session.user_id), session, refresh_token: current }
}

/** The session's current token after this refresh; undefined if the shown one was stolen or replayed. */
async function replaceToken(
  db: Db,
  token: string,
  shown: RefreshToken,
  reuseSeconds: number,
): Promise<string | undefined> {
  const child = await findChildToken(db, shown.id)
  if (child === undefined) {
    const minted = mintChildToken(token)
    await insertRefreshToken(db, { session_id: shown.session_id, parent_id: shown.id, minted })
    await markReplaced(db, shown.id)
    await forgetReplacedTokens(db, shown)
    return minted.token
  }
  const grandchild = await findChildToken(db, child.id)
  // The parent of the current token is accepted at any time: the client never saved our answer.
  if (grandchild === undefined) return deriveToken(token, child.salt)
  // An older one is accepted only for a moment, for tabs that race each other.
  if (!(await wasReplacedWithin(db, shown.id, reuseSeconds))) return undefined
  return await followToCurrent(db, token, child)
}

async function followToCurrent(db: Db, token: string, first: RefreshToken): Promise<string> {
  let parent = token
  for (
    let next: RefreshToken | undefined = first;
    next !== undefined;
    next = await findChildToken(db, next.id)
  ) {
    parent = deriveToken(parent, next.salt)
  }
  return parent
}

function refuseWhenLocked(error: unknown): never {
  const lockNotAvailable = '55P03'
  if ((error as { code?: unknown }).code !== lockNotAvailable) throw error
  const message = 'Too many concurrent token refresh requests on the same session or refresh token'
  throw new AuthError(409, 'conflict', message)
}
