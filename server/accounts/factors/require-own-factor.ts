import type { Db } from '#core/data/database.ts'
import type { AuthContext } from '../auth-context.ts'
import { AuthError, factorNotFound } from '../wire/auth-error.ts'
import { findFactor, type Factor } from './data/factors.ts'

/** @throws AuthError if the policy does not offer this type of factor */
export function requireFactorType(
  { config }: Pick<AuthContext, 'config'>,
  type: Factor['factor_type'],
  step: 'enroll' | 'verify',
): void {
  if (config.auth.mfa[type]) return
  const name = type === 'totp' ? 'TOTP' : 'Phone'
  const what = step === 'enroll' ? 'enroll' : 'verification'
  throw new AuthError(422, `mfa_${type}_${step}_not_enabled`, `MFA ${what} is disabled for ${name}`)
}

/** @throws AuthError mfa_factor_not_found, also for another user's factor */
export async function requireFactor(db: Db, userId: string, factorId: string): Promise<Factor> {
  const factor = await findFactor(db, userId, factorId)
  if (factor === undefined) throw factorNotFound()
  return factor
}
