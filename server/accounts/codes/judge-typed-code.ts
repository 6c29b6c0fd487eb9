import type { AuditActor } from '#core/data/schema/account-tables.ts'
import type { OneTimeKind } from '#core/data/schema/proof-tables.ts'
import type { Db } from '#core/data/database.ts'
import type { AuthContext } from '../auth-context.ts'
import { WRONG_CODES_A_DAY } from '../auth-policy.ts'
import type { Caller } from '#server/identity/caller.ts'
import { writeAudit } from '../audit/audit-log.ts'
import { takeTokenOfCode, type OneTimeToken } from './data/one-time-tokens.ts'
import { insertAlert } from '../audit/raise-alerts.ts'
import { macsOfCode, MOST_WRONG_CODES } from './one-time-code.ts'

/**
 * Judges a typed code and takes its token. In the caller's transaction, which has to commit even if the code
 * was wrong: a wrong one is counted and logged.
 * @returns undefined for a wrong code
 */
export async function judgeTypedCode(
  { accounts: { codeKeys } }: Pick<AuthContext, 'accounts'>,
  db: Db,
  given: { kinds: readonly OneTimeKind[]; sentTo: string; code: string; actor: AuditActor },
  caller: Caller,
): Promise<OneTimeToken | undefined> {
  const { kinds, sentTo, code, actor } = given
  const { token, wrongFor = [] } = await takeTokenOfCode(db, {
    sent_to: sentTo,
    kinds,
    code_macs: macsOfCode(codeKeys, sentTo, code),
    mostWrong: MOST_WRONG_CODES,
  })
  for (const { user_id, isLast } of wrongFor) {
    await writeAudit(db, { action: 'code_failed', user_id, actor, caller })
    if (isLast) await alertToGuesses(db, user_id, caller)
  }
  return token
}

/** Tells the owner that somebody tried so many codes that none is accepted for the rest of the day. */
export async function alertToGuesses(db: Db, user_id: string, caller: Caller): Promise<void> {
  const about = { cause: 'wrong_codes', threshold: WRONG_CODES_A_DAY }
  await insertAlert(db, about, { user_id, ip: caller.ip }, caller)
}
