import { deleteSession, deleteSessionsOfUser } from '../data/sessions.ts'
import type { AuthContext } from '../auth-context.ts'
import type { SessionHolder } from '../require-session.ts'

export const SIGN_OUT_SCOPES = ['global', 'local', 'others'] as const
export type SignOutScope = (typeof SIGN_OUT_SCOPES)[number]

/** Ends sessions at once: their access tokens stop working here although their signatures stay valid. */
export async function signOut(
  context: AuthContext,
  holder: SessionHolder,
  scope: SignOutScope,
): Promise<void> {
  if (scope === 'local') await deleteSession(context.db, holder.session_id)
  else await deleteSessionsOfUser(context.db, holder.user_id, scope === 'others' ? holder.session_id : null)
}
