import { sql } from 'kysely'
import { PERMISSIONS_OF_MEMBER, type MemberRole } from '#core/contract/accounts/member-role.ts'
import type { ClientAccount, ClientAccountChange } from '#core/contract/market/client-account.ts'
import type { FieldError } from '#core/contract/problem.ts'
import type { Db } from '#core/data/database.ts'
import { isRefused } from '#core/data/is-refused.ts'
import { keepAgreement } from '#core/data/market/payments/auto-recharge.ts'
import {
  changeClientAccount,
  findClientAccount,
  lockClientAccount,
} from '#core/data/market/client-accounts.ts'
import { lookAtFunding } from '#core/data/market/client-funding.ts'
import { requireCents } from '#core/domain/market/cents.ts'
import { checkAutoRecharge, findLicenceFaults, normaliseAccount } from '#core/domain/market/check-account.ts'
import { writeRechargeTerms } from '#core/domain/market/payments/say-recharge.ts'
import { sayDollars } from '#core/domain/market/say-when.ts'
import type { PaymentProvider } from '#core/payments/payment-provider.ts'
import { AppError } from '#core/errors.ts'
import type { ServerContext } from '../context.ts'
import type { Principal } from '../identity/find-live-session.ts'
import { answerVersionConflict } from '../http/errors/answer-version-conflict.ts'
import type { Answer } from '../http/route.ts'
import { noAccount } from './show-account.ts'

/** Changes the caller's account, unless it has changed since the version that the caller saw. */
export async function changeAccount(
  { db, paymentProvider }: Pick<ServerContext, 'db' | 'paymentProvider'>,
  { user_id: userId, person_id: by, member_role }: Pick<Principal, 'user_id' | 'person_id' | 'member_role'>,
  { version, ...wished }: ClientAccountChange,
): Promise<Answer> {
  refuseBeyondMoney(member_role, wished)
  const normalised = normaliseAccount(wished)
  if (!normalised.ok) throw refuse(normalised.errors)
  const { notices, quiet_hours, ...change } = normalised.change
  if (change.timezone !== undefined && !(await isZoneKnown(db, change.timezone)))
    throw refuse([{ path: 'timezone', message: 'This time zone is not known here' }])
  return await db.transaction().execute(async (trx) => {
    const current = await lockClientAccount(trx, userId)
    if (current === undefined) throw noAccount()
    if (current.version !== version) return answerVersionConflict(current, normalised.change)
    const errors = [
      ...findLicenceFaults(change.licensed_states ?? [], current.licensed_states),
      ...checkAutoRecharge({ ...current, ...withoutUndefined(change) }),
    ]
    if (errors.length > 0) throw refuse(errors)
    const isSwitched = change.auto_recharge_enabled !== undefined
    if (change.auto_recharge_enabled === true) requireCharging(current, paymentProvider)
    const account = await changeClientAccount(trx, userId, {
      ...withoutUndefined(change),
      ...(isSwitched && { auto_recharge_stopped: null }),
      ...(notices !== undefined && {
        notices: JSON.stringify({ ...current.notices, ...withoutUndefined(notices) }),
      }),
      ...(quiet_hours !== undefined && {
        quiet_hours: quiet_hours === null ? null : JSON.stringify(quiet_hours),
      }),
    })
    const isAgreed =
      change.auto_recharge_enabled === true || AGREED.some((field) => current[field] !== account[field])
    return { status: 200, json: isAgreed ? await agree(trx, by, current, account) : account }
  })
}

/** @throws AppError forbidden for a change of the business by somebody who may only see to its money */
function refuseBeyondMoney(role: MemberRole, wished: Omit<ClientAccountChange, 'version'>): void {
  if (PERMISSIONS_OF_MEMBER[role].includes('account')) return
  const isMoney = (name: string): boolean =>
    name === 'low_balance_threshold' || name.startsWith('auto_recharge_')
  if (!Object.keys(wished).every(isMoney))
    throw new AppError('forbidden', 'Your role changes the auto-recharge and the low balance only.')
}

/** @throws AppError if nothing could charge an auto-recharge */
function requireCharging({ saved_method }: ClientAccount, provider: PaymentProvider | undefined): void {
  const message =
    provider === undefined
      ? 'No payment provider is configured here'
      : saved_method === null
        ? 'Let a card be kept first: add funds and choose to keep it'
        : undefined
  if (message !== undefined) throw refuse([{ path: 'auto_recharge_enabled', message }])
}

/**
 * An auto-recharge charges only what the client agreed to, word for word. Switching it on or changing it
 * records a new agreement.
 */
async function agree(
  trx: Db,
  by: string,
  before: ClientAccount,
  after: ClientAccount,
): Promise<ClientAccount> {
  if (!after.auto_recharge_enabled) return after
  const say = (amount: string | null) => sayDollars(requireCents(amount ?? '0'))
  const terms = writeRechargeTerms({
    threshold: say(after.auto_recharge_threshold),
    amount: say(after.auto_recharge_amount),
    monthlyMax: say(after.auto_recharge_monthly_max),
    method: after.saved_method ?? '',
  })
  if (terms === before.auto_recharge_terms) return after
  await keepAgreement(trx, after, { terms, by })
  await lookAtFunding(trx, after.user_id)
  return (await findClientAccount(trx, after.user_id)) ?? after
}

const AGREED = ['auto_recharge_threshold', 'auto_recharge_amount', 'auto_recharge_monthly_max'] as const

/** PostgreSQL has its own time zone database and uses it to count days. */
async function isZoneKnown(db: Db, zone: string): Promise<boolean> {
  try {
    await sql`select now() at time zone ${zone}::text as moment`.execute(db)
    return true
  } catch (error) {
    if (isRefused(error)) return false
    throw error
  }
}

function refuse(errors: readonly FieldError[]): AppError {
  return new AppError('validation_failed', `The body has ${errors.length} fault(s).`, { errors })
}

type Defined<T> = { [Key in keyof T]?: Exclude<T[Key], undefined> }

function withoutUndefined<T extends object>(given: T): Defined<T> {
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as Defined<T>
}
