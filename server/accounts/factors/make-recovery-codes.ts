import { AppError } from '#core/errors.ts'
import type { Caller } from '#server/identity/caller.ts'
import type { Principal } from '#server/identity/find-live-session.ts'
import type { AuthContext } from '../auth-context.ts'
import { writeAudit } from '../audit/audit-log.ts'
import { lockUser } from '../people/data/users.ts'
import { lockSession } from '../sessions/data/sessions.ts'
import { replaceRecoveryCodes } from './data/recovery-codes.ts'
import { macRecoveryCode, mintRecoveryCodes, readRecoveryCode } from './recovery-code.ts'

/**
 * Replaces all recovery codes. Only a session that has just shown a second factor may make codes that stand
 * in for one.
 */
export async function makeRecoveryCodes(
  { db, accounts: { codeKeys } }: Pick<AuthContext, 'db' | 'accounts'>,
  { user_id, session_id, aal }: Principal,
  caller: Caller,
): Promise<string[]> {
  if (aal !== 'aal2') throw factorNotShown()
  const codes = mintRecoveryCodes()
  const macs = codes.map((code) => macRecoveryCode(codeKeys, user_id, readRecoveryCode(code) ?? code))
  await db.transaction().execute(async (trx) => {
    await lockUser(trx, user_id)
    // Checked again under the lock, now that nobody can end the session or remove the factor: codes without a
    // factor would apply to the next one.
    if ((await lockSession(trx, session_id))?.aal !== 'aal2') throw factorNotShown()
    await replaceRecoveryCodes(trx, user_id, macs)
    await writeAudit(trx, { action: 'recovery_codes_made', user_id, session_id, caller })
  })
  return codes
}

function factorNotShown(): AppError {
  return new AppError('mfa_required', 'Sign in with your second factor first')
}
