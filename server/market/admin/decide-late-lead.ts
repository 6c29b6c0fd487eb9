import type { LateDecision } from '#core/contract/market/late-lead.ts'
import { decideUnclear, lockUnclear } from '#core/data/market/late/unclear-leads.ts'
import { AppError } from '#core/errors.ts'
import type { ServerContext } from '../../context.ts'
import { auditChange, type By } from '../audit-change.ts'

/**
 * Credits an unclear late lead, or dismisses it; a worker then writes the credit as any other.
 * @throws AppError conflict if there is none, or it was decided
 */
export async function decideLateLead(
  { db }: Pick<ServerContext, 'db'>,
  by: By,
  assignmentId: string,
  { credit: isCredited, note }: LateDecision,
): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const found = await lockUnclear(trx, assignmentId)
    if (found === undefined) throw new AppError('conflict', 'Nothing is to be decided about it any more.')
    await decideUnclear(trx, assignmentId, { isCredited, by: by.caller.user_id })
    const { lead_id, client_user_id: client, price } = found
    await auditChange(trx, by, {
      action: isCredited ? 'late_lead_credited' : 'late_lead_dismissed',
      client,
      details: { lead_id, amount: price, note },
    })
  })
}
