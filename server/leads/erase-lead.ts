import type { LeadErased } from '#core/contract/leads/lead.ts'
import { eraseLead } from '#core/data/leads/erase-lead.ts'
import { findLeadRecord } from '#core/data/leads/lead-details.ts'
import { AppError } from '#core/errors.ts'
import type { Principal } from '../identity/find-live-session.ts'
import type { ServerContext } from '../context.ts'
import { repeatOnConflict } from '../http/database/repeat-on-conflict.ts'
import { suppressErased } from './suppress-person.ts'

/** Erases a person at their wish, whole or not at all, and has nobody sold them again. @throws AppError not_found */
export async function eraseLeadForGood(
  context: ServerContext,
  caller: Principal,
  leadId: string,
): Promise<LeadErased> {
  const erased = await repeatOnConflict(() =>
    context.db.transaction().execute(async (trx) => {
      const lead = await findLeadRecord(trx, caller, leadId)
      const done = await eraseLead(trx, leadId)
      if (lead !== undefined) await suppressErased(context, trx, caller, lead)
      return done
    }),
  )
  if (erased === undefined) throw new AppError('not_found', 'Lead not found')
  context.logger.info({ lead_id: leadId, user_id: caller.user_id }, 'a lead was erased')
  return erased
}
