import type { Db } from '#core/data/database.ts'
import { markSignedIn, readAccount } from '../data/accounts.ts'
import { insertRefreshToken } from '../data/refresh-tokens.ts'
import { insertSession } from '../data/sessions.ts'
import type { LiveSession } from '../describe-session.ts'
import { mintFirstToken } from '../refresh-token.ts'

/** Opens a session for a user that proved who it is, in the caller's transaction. */
export async function startSession(db: Db, userId: string, method: string): Promise<LiveSession> {
  const timestamp = Math.floor(Date.now() / 1000)
  const session = await insertSession(db, userId, [{ method, timestamp }])
  const minted = mintFirstToken()
  await insertRefreshToken(db, { session_id: session.id, parent_id: null, minted })
  await markSignedIn(db, userId)
  return { account: await readAccount(db, userId), session, refresh_token: minted.token }
}
