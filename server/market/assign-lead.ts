import type { AssignmentResult } from '#core/contract/market/assignment.ts'
import { findLead, type Viewer } from '#core/data/leads/leads.ts'
import { assignLeads } from '#core/market/assign-leads.ts'
import { readOutcome } from '#core/data/market/sale/assignment-outcome.ts'
import { assignLead as runProcedure, type AssignParameters } from '#core/data/market/lead-assignments.ts'
import { findEventsToEnqueueOfLeads } from '#core/data/outbox/events.ts'
import { repeatOnConflict } from '#core/data/repeat-on-conflict.ts'
import type { ServerContext } from '../context.ts'

/**
 * Asks for the assignment of a lead that the caller may see; any other lead is `not_found`, as one that does not exist. One that is
 * nobody's is decided at once, as the worker's first stage would.
 */
export async function assignLead(
  context: ServerContext,
  viewer: Viewer,
  given: AssignParameters,
): Promise<AssignmentResult> {
  const { lead_id_param: id } = given
  const lead = await findLead(context.db, viewer, id)
  const isForSale = lead?.user_id === null && !lead.is_test
  const result =
    lead &&
    (isForSale ? await sell(context, given) : await repeatOnConflict(() => runProcedure(context.db, given)))
  if (result === undefined)
    return { success: false, outcome: 'not_found', reason: 'lead_not_found', lead_id: id }
  context.announceEventsOf((outbox) => findEventsToEnqueueOfLeads(outbox, [id]))
  return result
}

async function sell(
  { db, market }: ServerContext,
  given: AssignParameters,
): Promise<AssignmentResult | undefined> {
  const sales = await assignLeads(market, [given.lead_id_param])
  return await readOutcome(db, given, sales.length > 0)
}
