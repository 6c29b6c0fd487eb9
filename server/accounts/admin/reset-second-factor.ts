import type { AdminPersonDetail } from '#core/contract/accounts/admin-people.ts'
import { AppError } from '#core/errors.ts'
import { queueMails } from '#core/data/outbox/mails.ts'
import type { ServerContext } from '#server/context.ts'
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
  context: ServerContext,
  by: By,
  id: string,
  reason: string,
): Promise<AdminPersonDetail> {
  if (id === by.caller.user_id)
    throw new AppError('conflict', 'You cannot reset your own second factor. Ask another owner.')
  await changePerson(context, id, async (trx) => {
    const factors = await listFactors(trx, id)
    const verified = factors.filter(({ status }) => status === 'verified')
    if (verified.length === 0) throw new AppError('conflict', 'This account has no second factor.')
    // Its recovery codes go with the last factor.
    for (const { id: factorId } of factors)
      await deleteFactorOfUser(trx, { user_id: id, factor_id: factorId })
    await deleteSessionsOfUser(trx, id, null)
    const details = { factor_types: verified.map(({ factor_type: type }) => type), note: reason }
    await auditPerson(trx, by, { action: 'second_factor_reset', user_id: id, details })
    const key = verified.map((factor) => factor.id).join(' ')
    await queueMails(trx, [
      { template: 'second_factor_reset', data: {}, recipient_user_id: id, notice_key: key },
    ])
  })
  return await showPerson(context, by.caller, id)
}
