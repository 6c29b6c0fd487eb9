import type { LeadErased } from '#core/contract/leads/lead.ts'
import { eraseLead } from '#core/data/leads/erase-lead.ts'
import { findLeadRecord } from '#core/data/leads/lead-details.ts'
import { AppError } from '#core/errors.ts'
import { removeErasedBytes } from '#core/use-cases/files/remove-freed-bytes.ts'
import type { OperatorContext } from '../../operator-context.ts'
import { auditChange, type By } from '../../market/audit-change.ts'
import { refuseNaming } from '../../market/refuse-naming.ts'
import { repeatOnConflict } from '#core/data/repeat-on-conflict.ts'
import { suppressErased } from '../suppress-person.ts'

/**
 * Erases a person at their request, in one transaction, and keeps them from being sold again.
 * @throws AppError not_found; validation_failed if the reason names the person, because the audit log keeps
 * it for good
 */
export async function eraseLeadForGood(
  context: OperatorContext,
  by: By,
  leadId: string,
  reason: string,
): Promise<LeadErased> {
  const { caller } = by
  const erased = await repeatOnConflict(() =>
    context.db.transaction().execute(async (trx) => {
      const lead = await findLeadRecord(trx, caller, leadId)
      if (lead !== undefined) refuseNaming('reason', reason, lead)
      const done = await eraseLead(trx, leadId)
      if (lead !== undefined) await suppressErased(context, trx, caller, lead)
      if (done?.is_news === true)
        await auditChange(trx, by, { action: 'lead_erased', details: { lead_id: leadId, note: reason } })
      return done
    }),
  )
  if (erased === undefined) throw new AppError('not_found', 'Lead not found')
  context.logger.info({ lead_id: leadId, user_id: caller.user_id }, 'a lead was erased')
  const { is_news: _isNews, freed_bytes: freed, ...told } = erased
  await removeErasedBytes(context, freed)
  return told
}
