import type { AuthContext } from '../auth-context.ts'
import { AuthError, sessionNotFound } from '../wire/auth-error.ts'
import { MOST_FACTORS } from '../auth-policy.ts'
import type { Caller } from '#server/identity/caller.ts'
import { writeAudit } from '../audit/audit-log.ts'
import {
  deleteFactor,
  forgetUnverifiedFactors,
  insertFactor,
  listFactors,
  type Factor,
} from './data/factors.ts'
import { lockSession } from '../sessions/data/sessions.ts'
import { lockUser } from '../people/data/users.ts'
import { requireFactorType } from './require-own-factor.ts'
import type { Principal } from '#server/identity/find-live-session.ts'
import { mintTotp } from './totp.ts'

/** The factor to enrol. `phone` is digits alone, `issuer` is what an authenticator app shows. */
export type WantedFactor = { friendly_name: string } & (
  | { factor_type: 'totp'; issuer: string }
  | { factor_type: 'phone'; phone: string }
)

/**
 * Begins a factor; it counts after its first right code. The secret of a TOTP factor is shown only this once.
 */
export async function enrollFactor(
  context: AuthContext,
  holder: Principal,
  wanted: WantedFactor,
  caller: Caller,
) {
  requireFactorType(context, wanted.factor_type, 'enroll')
  const { factor_type: type, friendly_name } = wanted
  return await context.db.transaction().execute(async (trx) => {
    const user = await lockUser(trx, holder.user_id)
    const session = user === undefined ? undefined : await lockSession(trx, holder.session_id)
    if (user === undefined || session === undefined) throw sessionNotFound()
    await forgetUnverifiedFactors(trx, user.id)
    const factors = await listFactors(trx, user.id)
    const superseded = wanted.factor_type === 'phone' ? findSamePhone(factors, wanted.phone) : undefined
    if (superseded !== undefined) await deleteFactor(trx, superseded.id)
    refuseEnrolment(
      factors.filter((factor) => factor !== superseded),
      friendly_name,
      session.aal,
    )
    const totp =
      wanted.factor_type === 'totp' ? mintTotp(wanted.issuer, user.email ?? user.phone ?? user.id) : undefined
    const phone = wanted.factor_type === 'phone' ? wanted.phone : undefined
    const id = await insertFactor(trx, {
      user_id: user.id,
      friendly_name,
      factor_type: type,
      secret_sealed:
        totp === undefined ? null : context.secrets.seal('auth.factors.secret_sealed', totp.secret),
      phone: phone ?? null,
    })
    await writeAudit(trx, {
      action: 'factor_enrolled',
      user_id: user.id,
      session_id: session.id,
      caller,
      details: { factor_id: id, factor_type: type },
    })
    return { id, type, friendly_name: friendly_name === '' ? undefined : friendly_name, totp, phone }
  })
}

/**
 * A second enrolment of the same phone replaces the first.
 * @throws AuthError if it is a verified factor already
 */
function findSamePhone(factors: readonly Factor[], phone: string): Factor | undefined {
  const same = factors.find((factor) => factor.phone === phone)
  if (same?.status !== 'verified') return same
  throw new AuthError(
    422,
    'mfa_verified_factor_exists',
    'A verified phone factor already exists, unenroll the existing factor to continue',
  )
}

function refuseEnrolment(factors: readonly Factor[], name: string, aal: 'aal1' | 'aal2'): void {
  if (factors.length >= MOST_FACTORS) {
    const message = 'Maximum number of verified factors reached, unenroll to continue'
    throw new AuthError(422, 'too_many_enrolled_mfa_factors', message)
  }
  if (factors.some(({ friendly_name }) => friendly_name === name)) {
    const message = `A factor with the friendly name "${name}" for this user already exists`
    throw new AuthError(422, 'mfa_factor_name_conflict', message)
  }
  // Otherwise a thief with a stolen password could add a factor of their own and count as the owner.
  if (aal !== 'aal2' && factors.some(({ status }) => status === 'verified'))
    throw new AuthError(403, 'insufficient_aal', 'AAL2 required to enroll a new factor')
}
