import { RECALLED } from '#core/contract/market/lead-return.ts'
import type { Db } from '#core/data/database.ts'
import { endRecall, noteRecalled, takeRecalledLead, type OpenRecall } from '#core/data/leads/lead-recalls.ts'
import { lockLead } from '#core/data/market/settle-return.ts'
import { tellClient } from '#core/use-cases/market/tell-client.ts'
import { failpoint } from '#core/failpoints.ts'
import { takeLeadBack } from './take-lead-back.ts'

/**
 * Returns the next lead of a recall, with its credit and the progress, in the caller's transaction. Safe at any number
 * of workers, and after a crash: an assignment is returned once.
 * @param onTaken is told the lead before anything can fail for it
 * @returns whether there was a lead
 */
export async function recallNextLead(
  trx: Db,
  recall: OpenRecall,
  onTaken: (leadId: string) => void = () => {},
): Promise<boolean> {
  const lead = await takeRecalledLead(trx, recall.id)
  if (lead === undefined) return false
  onTaken(lead.lead_id)
  await lockLead(trx, lead.lead_id)
  const taking = { reason: RECALLED, by: recall.created_by, state: 'returned' } as const
  const taken = await takeLeadBack(trx, lead, taking)
  await noteRecalled(trx, recall.id, lead.lead_id, taken)
  await failpoint('before-recall')
  return true
}

/** Ends a recall when no lead waits, and tells each client once what it got back. */
export async function finishRecall(trx: Db, recallId: string): Promise<void> {
  for (const { client_user_id, leads, amount } of (await endRecall(trx, recallId)) ?? [])
    await tellClient(trx, client_user_id, { template: 'leads_recalled', data: { leads, amount } }, recallId)
}
