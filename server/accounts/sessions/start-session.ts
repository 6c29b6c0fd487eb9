import type { Db } from '#core/data/database.ts'
import type { Caller } from '#server/identity/caller.ts'
import { readAccount } from '../people/data/accounts.ts'
import { writeAudit } from '../audit/audit-log.ts'
import { markSignedIn } from '../people/data/identities.ts'
import { insertRefreshToken } from './data/refresh-tokens.ts'
import { insertSession } from './data/sessions.ts'
import type { LiveSession } from './describe-session.ts'
import { mintFirstToken } from './refresh-token.ts'

/**
 * The proof of the user's identity: a method of the claim `amr`, and the provider if it was a company's.
 */
export interface Proof {
  method: string
  provider?: string
}

/** Opens a session for a user who proved their identity, in the caller's transaction. */
export async function startSession(
  db: Db,
  userId: string,
  { method, provider }: Proof,
  caller: Caller,
): Promise<LiveSession> {
  const { ip, user_agent } = caller
  const timestamp = Math.floor(Date.now() / 1000)
  const amr = [{ method, timestamp, ...(provider === undefined ? {} : { provider }) }]
  const session = await insertSession(db, { user_id: userId, amr, aal: 'aal1', ip, user_agent })
  const minted = mintFirstToken()
  await insertRefreshToken(db, { session_id: session.id, parent_id: null, minted })
  await markSignedIn(db, userId)
  await writeAudit(db, {
    action: 'signed_in',
    user_id: userId,
    session_id: session.id,
    caller,
    details: { method, ...(provider === undefined ? {} : { provider }) },
  })
  return { account: await readAccount(db, userId), session, refresh_token: minted.token }
}
