import type { Role } from '#core/contract/accounts/account.ts'
import type { AdminRole } from '#core/contract/accounts/admin-role.ts'
import type { MemberRole } from '#core/contract/accounts/member-role.ts'
import type { Config } from '#core/config/config.ts'
import type { Db } from '#core/data/database.ts'
import { findPrincipals, touchSession, type FoundPrincipal } from './data/principals.ts'
import type { IdentityContext } from './identity-context.ts'

/** The person behind a request, as the database says: a token proves identity and session, never a role. */
export interface Principal {
  /** whose rows the request is about: the account, or the person where the person is meant (act-for-account.ts) */
  user_id: string
  /** the person who signed in */
  person_id: string
  /** the account that the person acts for; its founder's user id */
  account_id: string
  member_role: MemberRole
  /** an agent sees and changes only rows of this person; left out: all of the account */
  member_user_id?: string
  session_id: string
  role: Role
  /** what an administrator may do; null for a client */
  admin_role: AdminRole | null
  email: string
  /** aal2: a second factor has proven the session too */
  aal: 'aal1' | 'aal2'
  /** the account has a second factor, which has not proven the session */
  owes_factor: boolean
  is_anonymous: boolean
  /** an administrator has approved the account, or it is an administrator's; all others share their limits */
  is_approved: boolean
  /** the administrator who sees this client's screens (view-as.ts); left out: the client itself */
  viewed_by?: string
}

/**
 * Whether a session lives, and why not. `ended`: signed out, or never this user's; `rested`: expired from
 * inactivity; `blocked`: banned or suspended.
 */
export type SessionVerdict =
  | { state: 'live'; principal: Principal }
  | { state: 'no_user' | 'ended' | 'blocked' }
  | { state: 'rested'; is_blocked: boolean }

interface SessionContext {
  config: Pick<Config, 'auth'>
  db: Db
}

/**
 * THE answer to "is this session alive?". Every API asks here and refuses in its own form. Asking does not
 * count as activity: neither a screen that polls nor a refresh keeps a session alive.
 * @param sessionId the session that the token names; undefined if it names none
 */
export async function findLiveSession(
  context: SessionContext,
  userId: string,
  sessionId: string | undefined,
): Promise<SessionVerdict> {
  const named = { user_id: userId, session_id: sessionId ?? null }
  const [found] = await findPrincipals(context.db, [named], context.config.auth.inactivitySeconds)
  return judge(found)
}

/**
 * Like {@link findLiveSession}, for a person's request: it counts as activity and keeps a live session from expiring.
 */
export async function useLiveSession(
  { db, identity: { findPrincipal } }: Pick<IdentityContext, 'db' | 'identity'>,
  userId: string,
  sessionId: string | undefined,
): Promise<SessionVerdict> {
  const found = await findPrincipal({ user_id: userId, session_id: sessionId ?? null })
  const verdict = judge(found)
  if (verdict.state === 'live' && found?.needs_touch === true)
    await touchSession(db, verdict.principal.session_id)
  return verdict
}

function judge(found: FoundPrincipal): SessionVerdict {
  // The order is part of the authentication wire: no user, no session, a block.
  if (found === undefined) return { state: 'no_user' }
  const { session_id, aal } = found
  if (session_id === null || aal === null) return { state: 'ended' }
  if (found.has_rested) return { state: 'rested', is_blocked: found.is_blocked }
  if (found.is_blocked) return { state: 'blocked' }
  const owes_factor = found.has_factor && aal !== 'aal2'
  return {
    state: 'live',
    principal: {
      user_id: found.user_id,
      person_id: found.user_id,
      account_id: found.account_id,
      member_role: found.member_role,
      session_id,
      role: found.role,
      admin_role: found.admin_role,
      email: found.email,
      aal,
      owes_factor,
      is_anonymous: found.is_anonymous,
      is_approved: found.is_approved,
    },
  }
}
