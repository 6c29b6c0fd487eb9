import { createHash } from 'node:crypto'
import { SOURCE_KEY_PREFIX } from '#core/contract/leads/source.ts'
import { findSourceByKey, type SourceCaller } from '#core/data/leads/sources.ts'
import { AppError } from '#core/errors.ts'
import { authenticate, requireRole, type Principal } from './authenticate.ts'
import type { ServerContext } from '../context.ts'
import type { Callers, Who } from '../http/route.ts'

/**
 * Lets a request in, or throws: the one place that decides who may call a route. Which rows a caller sees is decided by
 * the queries, all of which take the caller.
 * @throws AppError unauthenticated, invalid_token, invalid_api_key, forbidden or mfa_required
 */
export async function authorise(
  context: ServerContext,
  who: Who,
  authorization: string | undefined,
): Promise<Callers[Who]> {
  if (who === 'public') return undefined
  if (who === 'anybody') return await authenticateAnybody(context, authorization)
  const key = readSourceKey(authorization)
  if (who === 'source' || (who === 'source or user' && key !== undefined))
    return await findSource(context, key)
  const principal = await authenticate(context, authorization)
  if (who !== 'user by any proof') requireOwedFactor(principal)
  if (who === 'admin') requireAdmin(context, principal)
  // Without its second factor an administrator's session is worth what a client's is: its own rows.
  return lacksSecondFactor(context, principal) ? { ...principal, role: 'client' } : principal
}

/**
 * @throws AppError forbidden without the role, mfa_required where the policy wants a second factor that the session was not
 * proven by
 */
export function requireAdmin(
  context: Pick<ServerContext, 'config'>,
  principal: Pick<Principal, 'role' | 'aal'>,
): void {
  requireRole(principal, 'admin')
  if (lacksSecondFactor(context, principal)) {
    throw new AppError(
      'mfa_required',
      'Administrators need a second factor. Set one up in Settings, or enter its code, then try again.',
    )
  }
}

/** Whoever set a second factor up wants it asked for: a stolen password alone must not open the account. */
function requireOwedFactor({ owes_factor }: Principal): void {
  if (!owes_factor) return
  throw new AppError('mfa_required', 'This account has a second factor. Enter its code, then try again.')
}

function lacksSecondFactor(
  { config }: Pick<ServerContext, 'config'>,
  { role, aal }: Pick<Principal, 'role' | 'aal'>,
): boolean {
  return config.auth.mfa.isRequiredOfAdmins && role === 'admin' && aal !== 'aal2'
}

/** Is this caller a source (and not a person)? */
export function isSource(caller: Callers['source or user']): caller is SourceCaller {
  return 'source_id' in caller
}

/** Keys are 256 random bits, so their plain SHA-256 is enough, and a look-up by hash tells nothing by its time. */
export function hashSourceKey(key: string): Buffer {
  return createHash('sha256').update(key).digest()
}

/** The app's public key, an expired token and none at all are nobody's. */
async function authenticateAnybody(
  context: ServerContext,
  authorization: string | undefined,
): Promise<Principal | undefined> {
  try {
    return await authenticate(context, authorization)
  } catch (error) {
    if (error instanceof AppError && error.status < 500) return undefined
    throw error
  }
}

function readSourceKey(authorization: string | undefined): string | undefined {
  const [, key] = /^Bearer +(\S+) *$/i.exec(authorization ?? '') ?? []
  return key?.startsWith(SOURCE_KEY_PREFIX) === true ? key : undefined
}

async function findSource(context: ServerContext, key: string | undefined): Promise<SourceCaller> {
  if (key === undefined) {
    throw new AppError('invalid_api_key', 'Send the API key of a source as `Authorization: Bearer lw_src_…`.')
  }
  const source = await findSourceByKey(context.db, hashSourceKey(key))
  if (source === undefined) throw new AppError('invalid_api_key', 'This API key is unknown or was revoked.')
  return source
}
