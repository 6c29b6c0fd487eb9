import type { Metadata } from '#core/data/schema/account-tables.ts'
import type { Db } from '#core/data/database.ts'
import type { AuthContext } from '../auth-context.ts'
import { AuthError } from '../wire/auth-error.ts'
import { hasPermission, judgeAdmin } from '#server/identity/judge-admin.ts'
import { findUserByEmail, findUserByPhone, type User } from './data/users.ts'
import { emailExists, phoneExists } from '../sign-up/explain-taken.ts'
import type { Channel } from '../sms/phone-code.ts'
import type { Principal } from '#server/identity/find-live-session.ts'
import type { Presence } from '../codes/prove-presence.ts'

/** An undefined or empty member stays as it is. Addresses are normalised and valid. */
export interface OwnChanges extends Presence {
  email: string
  phone: string
  password: string
  channel: Channel
  data?: Metadata | undefined
  app_metadata?: Metadata | undefined
}

/** Drops values that the account already has. */
export function withoutRepeats(user: User, { email, phone }: OwnChanges): { email: string; phone: string } {
  return { email: email === user.email ? '' : email, phone: phone === user.phone ? '' : phone }
}

/** @throws AuthError for values that an account of this kind cannot have */
export function refuseImpossible(user: User, given: OwnChanges, touchesWaysIn: boolean): void {
  const isReachable = user.email !== null || user.phone !== null || given.email !== '' || given.phone !== ''
  if (user.is_anonymous && given.password !== '' && !isReachable) {
    const message = 'Updating password of an anonymous user without an email or phone is not allowed'
    throw new AuthError(422, 'validation_failed', message)
  }
  if (user.is_sso_user && (touchesWaysIn || given.nonce !== '')) {
    const message = 'Updating email, phone, password of a SSO account only possible via SSO'
    throw new AuthError(422, 'user_sso_managed', message)
  }
}

/** @throws AuthError not_admin */
export function requireAdministrator(context: AuthContext, principal: Principal): void {
  if (judgeAdmin(context, principal) !== 'allowed' || !hasPermission(principal, 'people'))
    throw new AuthError(403, 'not_admin', 'Updating app_metadata requires admin privileges')
}

/** @throws AuthError if another account has the address or phone */
export async function refuseTakenAddress(
  db: Db,
  user: User,
  { email, phone }: { email: string; phone: string },
): Promise<void> {
  const byEmail = email === '' ? undefined : await findUserByEmail(db, email)
  if (byEmail !== undefined && byEmail.id !== user.id) throw emailExists()
  const byPhone = phone === '' ? undefined : await findUserByPhone(db, phone)
  if (byPhone !== undefined && byPhone.id !== user.id) throw phoneExists()
}
