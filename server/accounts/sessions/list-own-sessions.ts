import type { OwnSession } from '#core/contract/accounts/session.ts'
import { listLiveSessions } from './data/sessions.ts'
import type { Principal } from '#server/identity/find-live-session.ts'
import { hasPermission } from '#server/identity/judge-admin.ts'
import type { ServerContext } from '#server/context.ts'

/** The caller's sessions: this one, then the others, last seen first. */
export async function listOwnSessions(context: ServerContext, caller: Principal): Promise<OwnSession[]> {
  const sessions = await listSessions(context, caller)
  const isOwn = ({ id }: { id: string }) => id === caller.session_id
  const inOrder = sessions.toSorted((a, b) => Number(isOwn(b)) - Number(isOwn(a)))
  return inOrder.map((session) => ({ ...session, is_current: isOwn(session) }))
}

/**
 * A user's sessions, last seen first, for administrators. Addresses and browsers are for the roles that may end sessions.
 */
export async function listSessionsOf(
  context: Pick<ServerContext, 'config' | 'db'>,
  reader: Pick<Principal, 'admin_role'>,
  userId: string,
) {
  const sessions = await listSessions(context, { user_id: userId, session_id: null })
  if (hasPermission(reader, 'people')) return sessions
  return sessions.map((session) => ({ ...session, ip: null, user_agent: null }))
}

async function listSessions(
  context: Pick<ServerContext, 'config' | 'db'>,
  of: { user_id: string; session_id: string | null },
): Promise<Array<Omit<OwnSession, 'is_current'>>> {
  const sessions = await listLiveSessions(context.db, of, context.config.auth.inactivitySeconds)
  return sessions.map(({ id, created_at, last_active_at, ip, user_agent, aal }) => ({
    id,
    created_at: created_at.toISOString(),
    last_active_at: last_active_at.toISOString(),
    // A text that is no address was stored as the unspecified address.
    ip: ip === '::' ? null : ip,
    user_agent: user_agent === '' ? null : user_agent,
    aal,
  }))
}
