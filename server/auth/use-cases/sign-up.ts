import type { Metadata } from '#core/data/auth-tables.ts'
import { normaliseEmail, validateEmail } from '#core/domain/validate-email.ts'
import { validatePassword } from '#core/domain/validate-password.ts'
import type { AuthContext } from '../auth-context.ts'
import { AuthError, type WeakPasswordReason } from '../auth-error.ts'
import { LARGEST_METADATA_BYTES } from '../auth-policy.ts'
import type { LiveSession } from '../describe-session.ts'
import { hashPassword } from '../hash-password.ts'
import { createAccount } from './create-account.ts'
import { startSession } from './start-session.ts'

/**
 * Creates a client's account and signs it in: every account is confirmed at once (auth-policy.ts, MAILER_AUTOCONFIRM).
 * @throws AuthError for an address or password against SPEC.md §5, and for an address that is taken
 */
export async function signUp(
  context: AuthContext,
  given: { email: string; password: string; data: Metadata },
): Promise<LiveSession> {
  const email = normaliseEmail(given.email)
  const faults = validateEmail(email)
  if (faults.length > 0) throw new AuthError(400, 'validation_failed', faults.join('. '))
  refuseWeakPassword(given.password)
  const data = cleanMetadata(given.data)
  const password_hash = await hashPassword(given.password)
  const live = await context.db.transaction().execute(async (trx) => {
    const userId = await createAccount(trx, { email, password_hash, role: 'client', data })
    return userId === undefined ? undefined : await startSession(trx, userId, 'password')
  })
  if (live === undefined) throw new AuthError(422, 'user_already_exists', 'User already registered')
  return live
}

const REASONS: Record<string, WeakPasswordReason> = {
  'Password must be at least 8 characters': 'length',
  'Password too long': 'length',
  'Password must contain at least one lowercase, uppercase, number, and special character': 'characters',
  'Password contains weak patterns or insufficient complexity': 'patterns',
}

function refuseWeakPassword(password: string): void {
  const messages = validatePassword(password)
  if (messages.length === 0) return
  const reasons = messages.map((message) => REASONS[message] ?? 'patterns')
  throw new AuthError(422, 'weak_password', messages.join('. '), { weakPasswordReasons: reasons })
}

/** A null member means "no such member", as in every metadata update on this wire. */
function cleanMetadata(data: Metadata): Metadata {
  const kept = Object.fromEntries(Object.entries(data).filter(([, value]) => value !== null))
  if (Buffer.byteLength(JSON.stringify(kept)) > LARGEST_METADATA_BYTES) {
    throw new AuthError(
      400,
      'validation_failed',
      `User data is too large (max ${LARGEST_METADATA_BYTES} bytes)`,
    )
  }
  return kept
}
