import { normaliseEmail, validateEmail } from '#core/domain/accounts/validate-email.ts'
import type { Db } from '#core/data/database.ts'
import type { AuthContext } from '../auth-context.ts'
import type { Caller } from '#server/identity/caller.ts'
import { AuthError, invalidCredentials, tooManyRequests } from '../wire/auth-error.ts'
import { countCharacters } from '#core/domain/accounts/validate-password.ts'
import { judgePassword, LONGEST_PASSWORD } from './check-password.ts'
import { writeAudit } from '../audit/audit-log.ts'
import { isUserBlocked } from '#server/identity/data/blocks.ts'
import { chooseCount, inTurnOf, spendSignIn, type SignInCount } from './count-sign-in.ts'
import { findCredentials, findCredentialsByPhone, replacePasswordHash } from './data/credentials.ts'
import { forgetFailures, readBlockSeconds, recordFailure, type Attempt } from './data/sign-in-attempts.ts'
import { lockUser } from '../people/data/users.ts'
import type { LiveSession } from '../sessions/describe-session.ts'
import { hashPassword, isOutdated, verifyPassword } from './hash-password.ts'
import { readPhone } from '../wire/read-address.ts'
import { startSession } from '../sessions/start-session.ts'

/** The name by which a person signs in. */
export type SignInName = { email: string } | { phone: string }

interface Credentials {
  id: string
  password_hash: string | null
  isConfirmed: boolean
  is_blocked: boolean
}

/** A sign-in that its rates let pass. */
export interface AdmittedSignIn {
  /** undefined if no account can have the name */
  known: { name: SignInName; count: SignInCount } | undefined
}

/**
 * Chooses the count of a sign-in and counts it against the rates of calls.
 * @throws AuthError 429
 */
export async function admitSignIn(
  context: AuthContext,
  given: SignInName,
  caller: Caller,
): Promise<AdmittedSignIn> {
  const name = readName(given)
  if (name === undefined) {
    await context.accounts.rates.spend('token', caller.network)
    return { known: undefined }
  }
  // A phone has no @, so an address and a phone never share a count.
  const email = 'email' in name ? name.email : `+${name.phone}`
  const count = await chooseCount(context, email, caller, async () => (await find(context.db, name))?.id)
  return { known: { name, count: await spendSignIn(context, count, caller) } }
}

/**
 * Five wrong passwords for one account from one address block both for 15 minutes (docs/product.md §9).
 * The block is checked again after the password, so guesses sent in parallel learn nothing past the fifth.
 */
export async function signInWithPassword(
  context: AuthContext,
  admitted: AdmittedSignIn,
  password: string,
  caller: Caller,
): Promise<LiveSession & { extra?: object }> {
  const { db } = context
  const { known } = admitted
  if (known === undefined) {
    // No account can have this password, so nothing is counted; only the duration must be the same.
    await verifyPassword(password, null, context.config.auth.password.hashCost)
    throw invalidCredentials()
  }
  const { name, count } = known
  const found = await inTurnOf(context, count, () => checkPassword(context, name, password, count, caller))
  const stored = found.password_hash
  if (found.is_blocked) throw banned()
  if (!found.isConfirmed) throw notConfirmed(name)
  const kept = await renewHash(context, found.id, stored, password)
  const live = await db.transaction().execute(async (trx) => {
    if ((await lockUser(trx, found.id))?.password_hash !== kept) return undefined
    // Checked again under the lock: from here on nobody can ban the account before the session exists and can
    // be ended.
    if (await isUserBlocked(trx, found.id)) throw banned()
    return await startSession(trx, found.id, { method: 'password' }, caller)
  })
  // The password was changed while this one was judged: judge it again by the new one.
  if (live === undefined) return await signInWithPassword(context, admitted, password, caller)
  const advice = await advise(context, password)
  return advice === undefined ? live : { ...live, extra: advice }
}

/** The account, if its password is right and nothing blocks it. */
async function checkPassword(
  { db, config }: AuthContext,
  name: SignInName,
  password: string,
  attempt: Attempt,
  caller: Caller,
): Promise<Credentials> {
  refuseBlocked(await readBlockSeconds(db, attempt))
  const found = await find(db, name)
  const matches = await verifyPassword(password, found?.password_hash ?? null, config.auth.password.hashCost)
  if (found === undefined || !matches) {
    const blockedSeconds = await db.transaction().execute(async (trx) => {
      const seconds = await recordFailure(trx, attempt)
      const action = seconds > 0 ? 'sign_in_blocked' : 'sign_in_failed'
      await writeAudit(trx, { action, user_id: found?.id ?? null, actor: 'nobody', caller })
      return seconds
    })
    refuseBlocked(blockedSeconds)
    throw invalidCredentials()
  }
  await forgetFailures(db, attempt)
  refuseBlocked(await readBlockSeconds(db, attempt))
  return found
}

/** Stores a right password in today's form. @returns the hash that is now stored */
async function renewHash(
  { db, config }: AuthContext,
  userId: string,
  stored: string | null,
  password: string,
): Promise<string | null> {
  const cost = config.auth.password.hashCost
  if (stored === null || !isOutdated(stored, cost)) return stored
  const renewed = await hashPassword(password, cost)
  await replacePasswordHash(db, userId, { from: stored, to: renewed })
  return renewed
}

function readName(name: SignInName): SignInName | undefined {
  if ('phone' in name) return { phone: readPhone(name.phone) }
  const email = normaliseEmail(name.email)
  return validateEmail(email).length > 0 ? undefined : { email }
}

async function find(db: Db, name: SignInName): Promise<Credentials | undefined> {
  if ('phone' in name) {
    const found = await findCredentialsByPhone(db, name.phone)
    return found === undefined ? undefined : { ...found, isConfirmed: found.phone_confirmed_at !== null }
  }
  const found = await findCredentials(db, name.email)
  return found === undefined ? undefined : { ...found, isConfirmed: found.email_confirmed_at !== null }
}

/** A password that no longer meets the policy still works; the client is told to suggest a better one. */
async function advise(context: AuthContext, password: string): Promise<object | undefined> {
  if (countCharacters(password) > LONGEST_PASSWORD) return undefined
  const { messages, reasons } = await judgePassword(context, password)
  if (messages.length === 0) return undefined
  return { weak_password: { message: messages.join('. '), reasons } }
}

function notConfirmed(name: SignInName): AuthError {
  return 'phone' in name
    ? new AuthError(400, 'phone_not_confirmed', 'Phone not confirmed')
    : new AuthError(400, 'email_not_confirmed', 'Email not confirmed')
}

function banned(): AuthError {
  return new AuthError(400, 'user_banned', 'User is banned')
}

function refuseBlocked(seconds: number): void {
  if (seconds > 0) throw tooManyRequests(seconds)
}
