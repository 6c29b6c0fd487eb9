import { findEventsToEnqueueOfLeads } from '#core/data/outbox/events.ts'
import type { AssignmentResult } from '#core/contract/market/assignment.ts'
import { assignLead as runProcedure, type AssignParameters } from '#core/data/market/lead-assignments.ts'
import { findLead, type Viewer } from '#core/data/leads/leads.ts'
import type { ServerContext } from '../context.ts'
import { repeatOnConflict } from '../http/repeat-on-conflict.ts'

/**
 * Asks the procedure `assign_lead_to_buyer_concurrent` for a lead that the caller may see; any other lead is `not_found`, as
 * one that does not exist.
 */
export async function assignLead(
  context: ServerContext,
  viewer: Viewer,
  given: AssignParameters,
): Promise<AssignmentResult> {
  const lead = await findLead(context.db, viewer, given.lead_id_param)
  if (lead === undefined) {
    return { success: false, outcome: 'not_found', reason: 'lead_not_found', lead_id: given.lead_id_param }
  }
  const result = await repeatOnConflict(() => runProcedure(context.db, given))
  context.announceEventsOf((outbox) => findEventsToEnqueueOfLeads(outbox, [given.lead_id_param]))
  return result
}
