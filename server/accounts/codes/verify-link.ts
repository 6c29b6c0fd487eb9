import type { OneTimeKind } from '#core/data/schema/proof-tables.ts'
import type { Db } from '#core/data/database.ts'
import { acceptOneTime } from './accept-one-time.ts'
import type { AuthContext } from '../auth-context.ts'
import { AuthError } from '../wire/auth-error.ts'
import type { Caller } from '#server/identity/caller.ts'
import { findFlow, issueFlowCode } from '../sessions/data/flows.ts'
import { takeTokenOfLink, type OneTimeToken } from './data/one-time-tokens.ts'
import type { LiveSession } from '../sessions/describe-session.ts'
import { mintFlowCode } from '../sessions/flow-code.ts'
import { hashLinkToken } from './one-time-code.ts'
import { startSession } from '../sessions/start-session.ts'

interface Link {
  kinds: readonly OneTimeKind[]
  linkToken: string
}

/**
 * Trades a link's token, sent by the app's own program, for a session.
 * @returns undefined after half of an e-mail change
 */
export async function verifyLink(
  context: AuthContext,
  link: Link,
  caller: Caller,
): Promise<LiveSession | undefined> {
  return await context.db.transaction().execute(async (trx) => {
    const token = await takeAccepted(context, trx, link, caller)
    return token === 'half' ? undefined : await startSession(trx, token.user_id, { method: 'otp' }, caller)
  })
}

/** The result for the page behind a link. */
export type LinkEnd = { live: LiveSession } | { code: string } | 'half'

/**
 * Follows an opened link: it gives a session, or under PKCE a code that only the browser that asked can trade
 * for one.
 */
export async function followLink(context: AuthContext, link: Link, caller: Caller): Promise<LinkEnd> {
  return await context.db.transaction().execute(async (trx) => {
    const token = await takeAccepted(context, trx, link, caller)
    if (token === 'half') return token
    const { user_id, flow_id } = token
    if (flow_id === null) return { live: await startSession(trx, user_id, { method: 'otp' }, caller) }
    if ((await findFlow(trx, flow_id)) === undefined) throw linkRefused()
    const { code, code_hash } = mintFlowCode()
    await issueFlowCode(trx, flow_id, { user_id, code_hash })
    return { code }
  })
}

async function takeAccepted(
  context: AuthContext,
  db: Db,
  { kinds, linkToken }: Link,
  caller: Caller,
): Promise<OneTimeToken | 'half'> {
  const token = await takeTokenOfLink(db, hashLinkToken(linkToken), kinds)
  const acceptance = token === undefined ? 'stale' : await acceptOneTime(context, db, token, caller)
  if (token === undefined || acceptance === 'stale') throw linkRefused()
  return acceptance === 'half' ? 'half' : token
}

function linkRefused(): AuthError {
  return new AuthError(403, 'otp_expired', 'Email link is invalid or has expired')
}
