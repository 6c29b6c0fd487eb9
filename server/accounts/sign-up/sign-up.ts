import type { AccountMail } from '#core/contract/mail.ts'
import { APP_PATHS } from '#core/contract/paths.ts'
import { queueAccountMail } from '#core/data/outbox/mails.ts'
import type { Metadata } from '#core/data/schema/account-tables.ts'
import type { Db } from '#core/data/database.ts'
import type { AuthContext } from '../auth-context.ts'
import { AuthError } from '../wire/auth-error.ts'
import type { Caller } from '#server/identity/caller.ts'
import { refuseWeakPassword } from '../passwords/check-password.ts'
import { claimSend } from '../codes/claim-send.ts'
import { mergeMetadata } from '../people/clean-metadata.ts'
import { readAccount, type Account } from '../people/data/accounts.ts'
import { writeAudit } from '../audit/audit-log.ts'
import { deleteOneTimeTokens } from '../codes/data/one-time-tokens.ts'
import { findUserByEmail, lockUser, updateUser, type User } from '../people/data/users.ts'
import { dropUnprovenWays } from './drop-unproven-ways.ts'
import type { LiveSession } from '../sessions/describe-session.ts'
import { hashFirstPassword } from '../passwords/hash-first-password.ts'
import { hashPassword } from '../passwords/hash-password.ts'
import { imagineAccount, showClaimed, type Claim } from './imagine-account.ts'
import { withMinimumDuration } from '../guards/with-minimum-duration.ts'
import { beginMailFlow, mailOneTime, type Onward } from '../codes/mail-one-time.ts'
import { readEmail } from '../wire/read-address.ts'
import { createAccount } from './create-account.ts'
import { startSession } from '../sessions/start-session.ts'

interface NewClient {
  email: string
  password_hash: string | null
  data: Metadata
}
/** A session if accounts need no confirmation, else the account that waits for it. */
export type SignedUp = { live: LiveSession } | { account: Account }

interface Given {
  email: string
  password: string
  data: Metadata
}

/**
 * Creates a client's account. If addresses are to be confirmed, a taken one is answered like a new one, after
 * the same work.
 * @throws AuthError for an address or password against the policy, and for a taken address if sign-up needs
 * no confirmation
 */
export async function signUp(
  context: AuthContext,
  given: Given,
  onward: Onward,
  caller: Caller,
): Promise<SignedUp> {
  if (!context.config.auth.email.autoconfirm)
    return { account: await signUpWithMail(context, given, onward, caller) }
  const proof = { method: 'password' }
  return {
    live: await signUpAtOnce(context, given, caller, (trx, id) => startSession(trx, id, proof, caller)),
  }
}

/**
 * Creates a client's account like {@link signUp}, for a page that signs in by itself: it needs no session, so none is
 * opened.
 */
export async function signUpWithoutSession(
  context: AuthContext,
  given: Given,
  onward: Onward,
  caller: Caller,
): Promise<Account> {
  if (!context.config.auth.email.autoconfirm) return await signUpWithMail(context, given, onward, caller)
  return await signUpAtOnce(context, given, caller, readAccount)
}

async function judgeGiven(context: AuthContext, given: Given): Promise<{ email: string; data: Metadata }> {
  const email = readEmail(given.email)
  await refuseWeakPassword(context, given.password)
  return { email, data: mergeMetadata({}, given.data) }
}

async function signUpWithMail(
  context: AuthContext,
  given: Given,
  onward: Onward,
  caller: Caller,
): Promise<Account> {
  const { email, data } = await judgeGiven(context, given)
  await claimSend(context, { kind: 'mail', purpose: 'confirmation', address: email }, caller)
  const known = await findUserByEmail(context.db, email)
  const waiting = known?.email_confirmed_at === null ? known : undefined
  const password_hash = await hashFirstPassword(given.password, {
    waiting,
    isTaken: known !== undefined,
    cost: context.config.auth.password.hashCost,
  })
  return await withMinimumDuration(context, () =>
    context.db.transaction().execute(async (trx) => {
      const claim = await claimAccount(trx, { email, password_hash, data }, caller)
      if (claim === undefined) {
        await mailExists(context, trx, email)
        return imagineAccount({ email }, data)
      }
      await mailConfirmation(context, trx, { id: claim.id, email }, onward)
      return showClaimed(await readAccount(trx, claim.id), claim, { email }, data)
    }),
  )
}

/** @param show reads what the caller gets of the new account; runs in the transaction that makes it */
async function signUpAtOnce<Shown>(
  context: AuthContext,
  given: Given,
  caller: Caller,
  show: (trx: Db, userId: string) => Promise<Shown>,
): Promise<Shown> {
  const { email, data } = await judgeGiven(context, given)
  const password_hash = await hashPassword(given.password, context.config.auth.password.hashCost)
  return await context.db.transaction().execute(async (trx) => {
    const client = { email, password_hash, data, role: 'client', isConfirmed: true } as const
    const userId = await createAccount(trx, client)
    if (userId === undefined) throw new AuthError(422, 'user_already_exists', 'User already registered')
    await writeAudit(trx, { action: 'signed_up', user_id: userId, caller, details: { method: 'email' } })
    return await show(trx, userId)
  })
}

/** The account to confirm: a new one, or one that nobody has confirmed. Undefined if it has an owner. */
async function claimAccount(db: Db, client: NewClient, caller: Caller): Promise<Claim | undefined> {
  const { password_hash, data } = client
  const created = await createAccount(db, { ...client, role: 'client', isConfirmed: false })
  if (created !== undefined) {
    await writeAudit(db, { action: 'signed_up', user_id: created, caller, details: { method: 'email' } })
    return { id: created, was: 'made' }
  }
  const known = await findUserByEmail(db, client.email)
  // Locked and read again: another request may be confirming it, and then its password must not change.
  const waiting = known === undefined ? undefined : await lockUser(db, known.id)
  if (waiting === undefined || waiting.email_confirmed_at !== null) return undefined
  if (!isNobodys(waiting)) return { id: waiting.id, was: 'somebodys' }
  // A person who registers strangers' addresses must gain nothing, whether the owner comes before or after.
  // So a password stays only if it is the same, and this very hash was compared.
  const isSame = password_hash !== null && password_hash === waiting.password_hash
  await dropUnprovenWays(db, waiting)
  const own = { sub: waiting.id, email: client.email, email_verified: false, phone_verified: false }
  await updateUser(db, waiting.id, {
    ...(isSame ? { password_hash } : {}),
    user_metadata: JSON.stringify({ ...data, ...own }),
  })
  await deleteOneTimeTokens(db, waiting.id)
  return { id: waiting.id, was: 'waiting' }
}

/**
 * Whether the account has no owner yet. One that was invited, has signed in or has a confirmed phone has one,
 * and a stranger's sign-up changes nothing of it.
 */
function isNobodys({ invited_at, last_sign_in_at, phone_confirmed_at }: User): boolean {
  return invited_at === null && last_sign_in_at === null && phone_confirmed_at === null
}

/**
 * Tells the holder of a taken address that it has an account. The caller gets the same answer as for a new
 * address, so only the mail may say it.
 */
async function mailExists(context: AuthContext, db: Db, email: string): Promise<void> {
  const holder = await findUserByEmail(db, email)
  if (holder === undefined) return
  const until = new Date(Date.now() + context.config.auth.otpSeconds * 1000).toISOString()
  const data: AccountMail['data'] = {
    address: email,
    code: null,
    code_expires_at: until,
    url: `${context.config.http.publicUrl}${APP_PATHS.auth}`,
    expires_at: until,
  }
  await queueAccountMail(db, {
    recipient_user_id: holder.id,
    address: email,
    template: 'account_exists',
    sealed: context.secrets.seal('mails.sealed_data', JSON.stringify(data)),
  })
}

/** Queues the mail that asks whether the address is theirs; in the caller's transaction. */
export async function mailConfirmation(
  context: AuthContext,
  db: Db,
  { id, email }: { id: string; email: string },
  onward: Onward,
): Promise<void> {
  await updateUser(db, id, { confirmation_sent_at: new Date() })
  await mailOneTime(context, db, {
    user_id: id,
    kind: 'confirmation',
    template: 'account_confirm',
    type: 'signup',
    to: email,
    redirectTo: onward.redirectTo,
    flow_id: await beginMailFlow(db, id, 'signup', onward),
  })
}
