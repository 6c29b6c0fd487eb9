import { signAccessToken } from '#server/identity/access-token.ts'
import type { AuthContext } from '../auth-context.ts'
import type { Account } from '../people/data/accounts.ts'
import type { Session } from './data/sessions.ts'
import { describeUser } from '../wire/describe-user.ts'

export interface LiveSession {
  account: Account
  session: Session
  refresh_token: string
}

/** The session as the wire shows it, with a fresh access token. */
export async function describeSession(
  context: Pick<AuthContext, 'config' | 'identity'>,
  { account, session, refresh_token }: LiveSession,
) {
  const now = Math.floor(Date.now() / 1000)
  const { access_token, expires_in, expires_at } = await signAccessToken(
    context,
    { user: account.user, session, account: account.memberOf },
    now,
  )
  return {
    access_token,
    token_type: 'bearer',
    expires_in,
    expires_at,
    refresh_token,
    user: describeUser(account),
  }
}
