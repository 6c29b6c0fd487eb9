import type { Db } from '#core/data/database.ts'
import { limitParallelEach } from '#core/concurrency/limit-parallel-each.ts'
import type { AuthContext } from '../auth-context.ts'
import { AuthError, factorNotFound, sessionNotFound, tooManyRequests } from '../wire/auth-error.ts'
import type { Caller } from '#server/identity/caller.ts'
import { WRONG_CODES_PER_ADDRESS } from '../auth-policy.ts'
import { readAccount } from '../people/data/accounts.ts'
import { writeAudit } from '../audit/audit-log.ts'
import { deleteChallenge, findChallenge, type FactorChallenge } from './data/factor-challenges.ts'
import {
  forgetWrongCodes,
  isSpent,
  readGuessBlock,
  recordWrongCode,
  wasVerifiedFrom,
} from './data/factor-failures.ts'
import { findFactor, listFactors, markFactorVerified, noteUsedStep, type Factor } from './data/factors.ts'
import { replaceAllTokens } from '../sessions/data/refresh-tokens.ts'
import { deleteLowSessions, raiseSession } from '../sessions/data/session-levels.ts'
import { lockSession, type Session } from '../sessions/data/sessions.ts'
import { lockUser } from '../people/data/users.ts'
import { countWrongCode, holderOf, readSpentSeconds, type CodeHolder } from '../codes/data/wrong-codes.ts'
import type { LiveSession } from '../sessions/describe-session.ts'
import { alertToGuesses } from '../codes/judge-typed-code.ts'
import { isOneOf, macsOfCode } from '../codes/one-time-code.ts'
import { mintFirstToken } from '../sessions/refresh-token.ts'
import { forgetIdleRecoveryCodes, takeRecoveryCode } from './data/recovery-codes.ts'
import { macsOfRecoveryCode, readRecoveryCode } from './recovery-code.ts'
import { requireFactor, requireFactorType } from './require-own-factor.ts'
import type { Principal } from '#server/identity/find-live-session.ts'
import { findTotpStep } from './totp.ts'

interface Answer {
  factor_id: string
  challenge_id: string
  code: string
}

/**
 * One answer at a time for each account and network. As many may wait as may be wrong; the rest are refused
 * without a query.
 */
const inLineOfNetwork = limitParallelEach(1, WRONG_CODES_PER_ADDRESS, () => tooManyRequests(10))
/**
 * All answers for one account wait for one row: more of them at once would only hold database connections
 * that others need.
 */
const inLineOfAccount = limitParallelEach(2, 1000, () => tooManyRequests(10))

/**
 * Judges the answer to a challenge: a code of the factor, or a recovery code that stands in for it. The right
 * one raises the session to aal2 and gives it a refresh token that does not derive from its old ones. Answers
 * for one user are judged one by one, so codes sent in parallel get no further than those sent in turn.
 * @throws AuthError 429 while too many answers for this account wait
 */
export async function verifyFactor(
  context: AuthContext,
  holder: Principal,
  answer: Answer,
  caller: Caller,
): Promise<LiveSession> {
  const account = holder.user_id
  return await inLineOfNetwork(`${account} ${caller.network}`, () =>
    inLineOfAccount(account, () => judgeInTurn(context, holder, answer, caller)),
  )
}

async function judgeInTurn(
  context: AuthContext,
  holder: Principal,
  answer: Answer,
  caller: Caller,
): Promise<LiveSession> {
  const { db } = context
  const factor = await requireFactor(db, holder.user_id, answer.factor_id)
  requireFactorType(context, factor.factor_type, 'verify')
  // A flood of guesses is refused here, before it waits for the lock.
  const refusal = await refuseChallenge(db, factor, answer, caller)
  if (refusal instanceof AuthError) throw refusal
  // A refusal is an outcome, not an exception: the transaction that counts a wrong code has to commit.
  const outcome = await db.transaction().execute((trx) => judge(trx, context, holder, answer, caller))
  if (outcome instanceof AuthError) throw outcome
  return outcome
}

async function judge(
  db: Db,
  context: AuthContext,
  holder: Principal,
  answer: Answer,
  caller: Caller,
): Promise<LiveSession | AuthError> {
  const user = await lockUser(db, holder.user_id)
  const session = user === undefined ? undefined : await lockSession(db, holder.session_id)
  if (session === undefined) return sessionNotFound()
  const factor = await findFactor(db, holder.user_id, answer.factor_id)
  if (factor === undefined) return factorNotFound()
  const challenge = await refuseChallenge(db, factor, answer, caller)
  if (challenge instanceof AuthError) return challenge
  if (factor.status === 'unverified' && session.aal !== 'aal2' && (await hasVerified(db, holder.user_id)))
    return new AuthError(403, 'insufficient_aal', 'AAL2 required to enroll a new factor')

  const about = {
    user_id: holder.user_id,
    session_id: session.id,
    caller,
    details: { factor_id: factor.id, factor_type: factor.factor_type },
  }
  const recovery = factor.status === 'verified' ? readRecoveryCode(answer.code) : undefined
  const isRight =
    recovery === undefined
      ? await takeCode(db, context, factor, challenge, answer.code)
      : await takeRecoveryCode(
          db,
          holder.user_id,
          macsOfRecoveryCode(context.accounts.codeKeys, holder.user_id, recovery),
        )
  if (!isRight) {
    await recordWrongCode(db, { challengeId: challenge.id, factorId: factor.id, ip: caller.network })
    await writeAudit(db, { action: 'factor_failed', ...about })
    if (await countWrongCode(db, ofFactor(factor))) await alertToGuesses(db, holder.user_id, caller)
    const name = factor.factor_type === 'totp' ? 'TOTP' : 'MFA Phone'
    return new AuthError(422, 'mfa_verification_failed', `Invalid ${name} code entered`)
  }
  await deleteChallenge(db, challenge.id)
  await forgetWrongCodes(db, factor.id, caller.network)
  await writeAudit(db, {
    action: recovery === undefined ? 'factor_verified' : 'recovery_code_used',
    ...about,
  })
  return await raise(db, session, factor)
}

/** Reads the challenge if it can still be answered from this address; else the reason why not. */
async function refuseChallenge(
  db: Db,
  { status, user_id }: Factor,
  { factor_id, challenge_id }: Answer,
  { ip, network }: Caller,
): Promise<FactorChallenge | AuthError> {
  const challenge = await findChallenge(db, factor_id, challenge_id)
  if (challenge === undefined)
    return new AuthError(422, 'mfa_factor_not_found', 'MFA factor with the provided challenge ID not found')
  if (challenge.ip !== ip)
    return new AuthError(422, 'mfa_ip_address_mismatch', 'Challenge and verify IP addresses mismatch')
  const blockedSeconds = await readGuessBlock(db, factor_id, network)
  if (blockedSeconds > 0) return tooManyRequests(blockedSeconds)
  // A person who guesses day after day knows the password. From then on, codes are accepted only from
  // networks that the owner has used.
  const spentSeconds = status === 'verified' ? await readSpentSeconds(db, ofFactor({ id: factor_id })) : 0
  if (spentSeconds > 0 && !(await wasVerifiedFrom(db, { user_id, factor_id, network })))
    return tooManyRequests(spentSeconds)
  if (!challenge.is_expired && !isSpent(challenge)) return challenge
  const advice = 'verify against another challenge or create a new challenge.'
  return new AuthError(422, 'mfa_challenge_expired', `MFA challenge ${challenge_id} has expired, ${advice}`)
}

function ofFactor({ id }: Pick<Factor, 'id'>): CodeHolder {
  return { holder: holderOf(id), purpose: 'factor' }
}

/** Whether the code is right. A TOTP code works once: after it, neither it nor an older one is accepted. */
async function takeCode(
  db: Db,
  context: Pick<AuthContext, 'secrets' | 'accounts'>,
  factor: Factor,
  challenge: FactorChallenge,
  code: string,
): Promise<boolean> {
  if (factor.secret_sealed === null) {
    const given = macsOfCode(context.accounts.codeKeys, challenge.id, code)
    return challenge.code_mac !== null && isOneOf(challenge.code_mac, given)
  }
  const step = findTotpStep(context.secrets.open(factor.secret_sealed), code, Date.now())
  if (step === undefined || (factor.last_used_step !== null && step <= Number(factor.last_used_step)))
    return false
  await noteUsedStep(db, factor.id, step)
  return true
}

async function raise(db: Db, session: Session, factor: Factor): Promise<LiveSession> {
  const isFirst = factor.status === 'unverified'
  if (isFirst) {
    // For a first factor, earlier recovery codes are deleted: they belong to no factor that its owner has set
    // up.
    await forgetIdleRecoveryCodes(db, session.user_id)
    await markFactorVerified(db, factor)
  }
  const raised = await raiseSession(db, session, factor)
  // From here on the account needs both factors: earlier sessions, perhaps a thief's, end.
  if (isFirst) await deleteLowSessions(db, session.user_id, session.id)
  const minted = mintFirstToken()
  await replaceAllTokens(db, session.id, minted)
  return { account: await readAccount(db, session.user_id), session: raised, refresh_token: minted.token }
}

async function hasVerified(db: Db, userId: string): Promise<boolean> {
  return (await listFactors(db, userId)).some(({ status }) => status === 'verified')
}
