import { ADMIN_ROLE_WORDS } from '#core/contract/accounts/admin-role-words.ts'
import { rolesWith, type AdminPermission } from '#core/contract/accounts/admin-role.ts'
import type { SourceCaller } from '#core/data/leads/sources/sources.ts'
import { AppError } from '#core/errors.ts'
import { actForAccount, type May } from './act-for-account.ts'
import { authenticate, requireLive, SESSION_ENDED } from './authenticate.ts'
import { findLiveSession, type Principal } from './find-live-session.ts'
import { findSource, keyRefused, type SourceVerdict } from './find-source.ts'
import { identifyBearer } from './identify-bearer.ts'
import type { IdentityContext } from './identity-context.ts'
import { hasPermission, judgeAdmin } from './judge-admin.ts'
import { viewAs, type ViewWish } from './view-as.ts'
import type { Callers, Who } from '../http/route.ts'

/**
 * Lets a request in, or throws: the one place that decides who may call a route. The queries, which all take
 * the caller, decide which rows a caller sees.
 * @param needs what the role of an administrator must include, and `may` the role of a person in the account
 * @param view the client whose screens an administrator asks for
 * @throws AppError unauthenticated, invalid_token, invalid_api_key, forbidden or mfa_required
 */
export async function authorise(
  context: IdentityContext,
  who: Who,
  authorization: string | undefined,
  { needs = 'read', may = 'account' }: { needs?: AdminPermission; may?: May } = {},
  view?: ViewWish,
): Promise<Callers[Who]> {
  if (who === 'public') return undefined
  if (view !== undefined) {
    const administrator = await authenticate(context, authorization)
    requireAdmin(context, administrator)
    return await viewAs(context, administrator, view)
  }
  if (who === 'anybody') {
    // The app's public key, an expired token and no token all mean nobody.
    const verdict = await identifyBearer(context, authorization)
    return verdict.state === 'live' ? actForAccount(verdict.principal, may) : undefined
  }
  if (who === 'source' || who === 'source or user') {
    const verdict = await findSource(context, authorization)
    if (who === 'source' || verdict.state !== 'no_key') return requireSource(verdict)
    if (authorization === undefined) {
      throw new AppError(
        'unauthenticated',
        'Send the API key of a source, or an access token, as `Authorization: Bearer …`.',
      )
    }
  }
  const principal = await authenticate(context, authorization)
  if (who !== 'user by any proof' && principal.owes_factor) throw factorOwed()
  if (who === 'admin') requireAdmin(context, principal, needs)
  // Without its second factor, or for a change that its role may not make, an administrator's session has only
  // a client's rights: its own rows.
  const isOpen = judgeAdmin(context, principal) !== 'factor_needed' && hasPermission(principal, needs)
  const acting = actForAccount(principal, may)
  return principal.role === 'admin' && !isOpen ? { ...acting, role: 'client' } : acting
}

/**
 * Whether a caller who was let in still may, for an answer that takes as long as its reader does. This check
 * does not count as activity.
 * @throws AppError invalid_token, forbidden or mfa_required
 */
export async function authoriseAgain(context: IdentityContext, caller: Principal): Promise<void> {
  const verdict = await findLiveSession(context, caller.person_id, caller.session_id)
  const principal = requireLive(verdict, SESSION_ENDED)
  // Another role or account may see other rows.
  if (principal.account_id !== caller.account_id || principal.member_role !== caller.member_role)
    throw new AppError('forbidden', 'Your role in the account has changed. Ask again.')
  if (principal.owes_factor) throw factorOwed()
  if (caller.role === 'admin') requireAdmin(context, principal)
}

/**
 * @throws AppError forbidden without the role, mfa_required without the second factor that the session needs
 */
export function requireAdmin(
  context: Pick<IdentityContext, 'config'>,
  principal: Principal,
  needs: AdminPermission = 'read',
): void {
  switch (judgeAdmin(context, principal)) {
    case 'allowed':
      if (!hasPermission(principal, needs)) throw lacksPermission(principal, needs)
      return
    case 'not_admin':
      throw new AppError('forbidden', 'This needs the role admin.')
    case 'factor_owed':
      throw factorOwed()
    case 'factor_needed':
      throw new AppError(
        'mfa_required',
        'Administrators need a second factor. Set one up in Settings, or enter its code, then try again.',
      )
  }
}

function lacksPermission({ admin_role: own }: Principal, needs: AdminPermission): AppError {
  const named = rolesWith(needs)
    .map((role) => ADMIN_ROLE_WORDS[role])
    .join(' or ')
  const yours = own === null ? 'none' : ADMIN_ROLE_WORDS[own]
  return new AppError('forbidden', `This needs an administrator with the role ${named}. Yours is ${yours}.`)
}

/** Whether this caller is a source (and not a person). */
export function isSource(caller: Callers['source or user']): caller is SourceCaller {
  return 'source_id' in caller
}

/**
 * Refuses until an account that has a second factor shows it: a stolen password alone must not open the
 * account.
 */
function factorOwed(): AppError {
  return new AppError('mfa_required', 'This account has a second factor. Enter its code, then try again.')
}

function requireSource(verdict: SourceVerdict): SourceCaller {
  switch (verdict.state) {
    case 'known':
      return verdict.source
    case 'no_key':
      throw new AppError(
        'invalid_api_key',
        'Send the API key of a source as `Authorization: Bearer lw_src_…`.',
      )
    case 'unknown_key':
      throw keyRefused()
  }
}
