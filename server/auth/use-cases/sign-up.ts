import type { Metadata } from '#core/data/auth-tables.ts'
import { normaliseEmail, validateEmail } from '#core/domain/validate-email.ts'
import type { AuthContext } from '../auth-context.ts'
import { AuthError, validationFailed } from '../auth-error.ts'
import type { Caller } from '../caller.ts'
import { refuseWeakPassword } from '../check-password.ts'
import { mergeMetadata } from '../clean-metadata.ts'
import type { LiveSession } from '../describe-session.ts'
import { hashPassword } from '../hash-password.ts'
import { createAccount } from './create-account.ts'
import { startSession } from './start-session.ts'

/**
 * Creates a client's account and signs it in.
 * @throws AuthError for an address or password against the policy, and for an address that is taken
 */
export async function signUp(
  context: AuthContext,
  given: { email: string; password: string; data: Metadata },
  caller: Caller,
): Promise<LiveSession> {
  const email = normaliseEmail(given.email)
  const faults = validateEmail(email)
  if (faults.length > 0) throw validationFailed(faults.join('. '))
  await refuseWeakPassword(context, given.password)
  const data = mergeMetadata({}, given.data)
  const password_hash = await hashPassword(given.password)
  const live = await context.db.transaction().execute(async (trx) => {
    const userId = await createAccount(trx, { email, password_hash, role: 'client', data, isConfirmed: true })
    return userId === undefined ? undefined : await startSession(trx, userId, { method: 'password' }, caller)
  })
  if (live === undefined) throw new AuthError(422, 'user_already_exists', 'User already registered')
  return live
}
