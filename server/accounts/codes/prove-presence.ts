import type { AuthContext } from '../auth-context.ts'
import { AuthError, tooManyRequests } from '../wire/auth-error.ts'
import type { Caller } from '#server/identity/caller.ts'
import { writeAudit } from '../audit/audit-log.ts'
import type { Session } from '../sessions/data/sessions.ts'
import { chooseCount, inTurnOf, type SignInCount } from '../passwords/count-sign-in.ts'
import { forgetFailures, readBlockSeconds, recordFailure } from '../passwords/data/sign-in-attempts.ts'
import type { User } from '../people/data/users.ts'
import { verifyPassword } from '../passwords/hash-password.ts'
import { judgeTypedCode } from './judge-typed-code.ts'

const FRESH_MS = 86_400_000

export interface Presence {
  nonce: string
  current_password: string
}

/**
 * Checks, before a password changes, that it is still the person who signed in. If the policy asks for it and the
 * session is older than a day, the code of `/reauthenticate` proves it. If the policy asks for it, or the client offers
 * it, the present password does.
 * @throws AuthError reauthentication_*, current_password_*
 */
export async function provePresence(
  context: AuthContext,
  user: User,
  session: Session,
  given: Presence,
  caller: Caller,
): Promise<void> {
  const { needsReauthentication, needsCurrent } = context.config.auth.password
  const isFresh = session.created_at.getTime() > Date.now() - FRESH_MS
  const needsCode = needsReauthentication && !isFresh
  if (needsCode && given.nonce === '')
    throw new AuthError(400, 'reauthentication_needed', 'Password update requires reauthentication')
  // A person who signed in by mail or provider may not know the password.
  const cameByPassword = session.amr.some(({ method }) => method === 'password')
  const isAsked = needsCurrent && cameByPassword && user.password_hash !== null
  if (given.current_password !== '') await proveByPassword(context, user, given.current_password, caller)
  else if (isAsked) throw currentPassword('current_password_required')
  // The code is checked last: it works once, and a mistyped password must not use it up.
  if (needsCode) await proveByCode(context, user, given.nonce, caller)
}

async function proveByCode(context: AuthContext, user: User, nonce: string, caller: Caller): Promise<void> {
  const sentTo = user.email ?? user.phone ?? ''
  const typed = { kinds: ['reauthentication'], sentTo, code: nonce, actor: 'user' } as const
  const token = await context.db.transaction().execute((trx) => judgeTypedCode(context, trx, typed, caller))
  if (token?.user_id === user.id) return
  throw new AuthError(422, 'reauthentication_not_valid', 'Nonce has expired or is invalid')
}

/** Counts like a sign-in: nobody may guess the password through a stolen session. */
async function proveByPassword(
  context: AuthContext,
  user: User,
  password: string,
  caller: Caller,
): Promise<void> {
  const name = user.email ?? `+${user.phone ?? ''}`
  const count = await chooseCount(context, name, caller, () => Promise.resolve(user.id))
  await inTurnOf(context, count, () => judgePresent(context, user, password, count, caller))
}

async function judgePresent(
  { db, config }: AuthContext,
  user: User,
  password: string,
  count: SignInCount,
  caller: Caller,
): Promise<void> {
  const refuseBlocked = (seconds: number) => {
    if (seconds > 0) throw tooManyRequests(seconds)
  }
  refuseBlocked(await readBlockSeconds(db, count))
  if (!(await verifyPassword(password, user.password_hash, config.auth.password.hashCost))) {
    refuseBlocked(await recordFailure(db, count))
    await writeAudit(db, { action: 'sign_in_failed', user_id: user.id, caller })
    throw currentPassword('current_password_invalid')
  }
  await forgetFailures(db, count)
  refuseBlocked(await readBlockSeconds(db, count))
}

function currentPassword(code: 'current_password_required' | 'current_password_invalid'): AuthError {
  return new AuthError(400, code, 'Current password required when setting new password.')
}
