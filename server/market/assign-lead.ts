import type { AssignmentResult } from '#core/contract/market/assignment.ts'
import { findLead } from '#core/data/leads/leads.ts'
import { assignLeads } from '#core/use-cases/market/assign-leads.ts'
import { readOutcome } from '#core/data/market/sale/assignment-outcome.ts'
import { assignLead as runProcedure, type AssignParameters } from '#core/data/market/lead-assignments.ts'
import { findEventsToEnqueueOfLeads } from '#core/data/outbox/events.ts'
import { repeatOnConflict } from '#core/data/repeat-on-conflict.ts'
import type { Db } from '#core/data/database.ts'
import type { ServerContext } from '../context.ts'
import { auditChange, type By } from './audit-change.ts'
import { refuseNaming } from './refuse-naming.ts'

/**
 * Assigns a lead that the caller may see; any other lead is `not_found`, like one that does not exist. A lead
 * without a client is decided at once, as the worker's first stage would. The audit log records an
 * administrator's assignment, with the reason.
 * @throws AppError validation_failed if an administrator's reason names the person
 */
export async function assignLead(
  context: ServerContext,
  by: ByHand,
  given: AssignParameters,
): Promise<AssignmentResult> {
  const { lead_id_param: id } = given
  const lead = await findLead(context.db, by.caller, id)
  if (lead !== undefined && by.caller.role === 'admin' && by.reason !== null)
    refuseNaming('reason_param', by.reason, lead)
  const isForSale = lead?.user_id === null && !lead.is_test
  const result = lead && (isForSale ? await sell(context, by, given) : await handOver(context, by, given))
  if (result === undefined)
    return { success: false, outcome: 'not_found', reason: 'lead_not_found', lead_id: id }
  context.announce.eventsOf((outbox) => findEventsToEnqueueOfLeads(outbox, [id]))
  return result
}

async function sell(
  { db, market }: ServerContext,
  by: ByHand,
  given: AssignParameters,
): Promise<AssignmentResult | undefined> {
  const sales = await assignLeads(market, [given.lead_id_param], async (trx, sold) => {
    for (const sale of sold) await auditByHand(trx, by, sale)
  })
  return await readOutcome(db, given, sales.length > 0)
}

/** Assigns the lead to the client that already owns it, free of charge. */
async function handOver(
  { db }: ServerContext,
  by: ByHand,
  given: AssignParameters,
): Promise<AssignmentResult> {
  return await repeatOnConflict(() =>
    db.transaction().execute(async (trx) => {
      const result = await runProcedure(trx, given)
      const { outcome, lead_id, buyer_id: buyer, order_id = null, assignment_id = null } = result
      if (outcome === 'assigned')
        await auditByHand(trx, by, { lead_id, client_user_id: buyer ?? null, order_id, assignment_id })
      return result
    }),
  )
}

/** The owner of a lead may assign it without an administrator. */
async function auditByHand(
  trx: Db,
  by: ByHand,
  { lead_id, client_user_id: client, order_id, assignment_id }: AssignedByHand,
): Promise<void> {
  if (by.caller.role !== 'admin') return
  await auditChange(trx, by, {
    action: 'lead_assigned_by_hand',
    ...(client !== null && { client }),
    details: { lead_id, order_id, assignment_id, note: by.reason },
  })
}

/** Only administrators must give a reason; older callers send none (docs/contract.md §4). */
interface ByHand extends By {
  reason: string | null
}

interface AssignedByHand {
  lead_id: string
  client_user_id: string | null
  order_id: string | null
  assignment_id: string | null
}
