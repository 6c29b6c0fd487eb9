import type { AdminPerson, AdminPersonDetail } from '#core/contract/accounts/admin-people.ts'
import { normaliseEmail } from '#core/domain/accounts/validate-email.ts'
import { AppError } from '#core/errors.ts'
import type { ServerContext } from '#server/context.ts'
import { listFactors } from '../factors/data/factors.ts'
import { countRecoveryCodes } from '../factors/data/recovery-codes.ts'
import { findUserByEmail } from '../people/data/users.ts'
import { listSessionsOf } from '../sessions/list-own-sessions.ts'
import { personNotFound } from './change-person.ts'
import type { Principal } from '#server/identity/find-live-session.ts'
import { findPerson } from './data/people.ts'

type Given = Pick<ServerContext, 'config' | 'db'>
type Reader = Pick<Principal, 'admin_role'>

/** @throws AppError not_found */
export async function requirePerson({ db, config }: Given, id: string): Promise<AdminPerson> {
  const person = await findPerson(db, id, config.auth.inactivitySeconds)
  if (person === undefined) throw personNotFound()
  return person
}

/**
 * One account with its factors and open sessions, as far as the reader's role needs them.
 * @throws AppError not_found
 */
export async function showPerson(context: Given, reader: Reader, id: string): Promise<AdminPersonDetail> {
  const { db } = context
  const person = await requirePerson(context, id)
  const factors = await listFactors(db, id)
  const { left } = await countRecoveryCodes(db, id)
  return {
    ...person,
    factors: factors
      .filter(({ status }) => status === 'verified')
      .map(({ factor_type, created_at: at }) => ({ factor_type, created_at: at.toISOString() })),
    recovery_codes_left: left,
    session_list: await listSessionsOf(context, reader, id),
  }
}

/** The account with this address. @throws AppError not_found */
export async function findByEmail(context: Given, reader: Reader, email: string): Promise<AdminPersonDetail> {
  const user = await findUserByEmail(context.db, normaliseEmail(email))
  if (user === undefined) throw new AppError('not_found', 'No account has this email address.')
  return await showPerson(context, reader, user.id)
}
