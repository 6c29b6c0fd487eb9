import type { AdminPersonDetail } from '#core/contract/accounts/admin-people.ts'
import type { Db } from '#core/data/database.ts'
import { AppError } from '#core/errors.ts'
import { queueMails } from '#core/data/outbox/mails.ts'
import type { ServerContext } from '#server/context.ts'
import type { Caller } from '#server/identity/caller.ts'
import { writeAudit } from '../audit/audit-log.ts'
import { deleteFactorOfUser } from '../factors/data/delete-factor-of-user.ts'
import { listFactors } from '../factors/data/factors.ts'
import { deleteSessionsOfUser } from '../sessions/data/sessions.ts'
import { auditPerson, changePerson, type By } from './change-person.ts'
import { showPerson } from './show-people.ts'

/**
 * Removes every second factor and recovery code of somebody who has lost them, ends their sessions and tells them by
 * mail. Nobody can reset their own: whoever holds an open session could otherwise do without the factor.
 * @throws AppError not_found, conflict for one's own account and for an account without a factor
 */
export async function resetSecondFactor(
  context: Pick<ServerContext, 'config' | 'db'>,
  by: By,
  id: string,
  reason: string,
): Promise<AdminPersonDetail> {
  if (id === by.caller.user_id)
    throw new AppError('conflict', 'You cannot reset your own second factor. Ask another owner.')
  await changePerson(context, id, async (trx) => {
    const factor_types = await removeFactors(trx, id)
    const details = { factor_types, note: reason }
    await auditPerson(trx, by, { action: 'second_factor_reset', user_id: id, details })
  })
  return await showPerson(context, by.caller, id)
}

/**
 * The same for an operator with access to the database: the only way for the last owner who has lost their factor.
 * @throws AppError not_found, conflict for an account without a factor
 */
export async function resetSecondFactorByOperator(
  context: Pick<ServerContext, 'db'>,
  id: string,
  reason: string,
  caller: Caller,
): Promise<{ factor_types: string[] }> {
  return await changePerson(context, id, async (trx) => {
    const factor_types = await removeFactors(trx, id)
    const details = { factor_types, note: reason }
    await writeAudit(trx, { action: 'second_factor_reset', user_id: id, actor: 'service', caller, details })
    return { factor_types }
  })
}

/** @returns the kinds of the factors that were in use @throws AppError conflict */
async function removeFactors(trx: Db, id: string): Promise<string[]> {
  const factors = await listFactors(trx, id)
  const verified = factors.filter(({ status }) => status === 'verified')
  if (verified.length === 0) throw new AppError('conflict', 'This account has no second factor.')
  // Its recovery codes go with the last factor.
  for (const { id: factorId } of factors) await deleteFactorOfUser(trx, { user_id: id, factor_id: factorId })
  await deleteSessionsOfUser(trx, id, null)
  const key = verified.map((factor) => factor.id).join(' ')
  await queueMails(trx, [
    { template: 'second_factor_reset', data: {}, recipient_user_id: id, notice_key: key },
  ])
  return verified.map(({ factor_type: type }) => type)
}
