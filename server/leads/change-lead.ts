import type { LeadDetail } from '#core/contract/leads/lead-detail.ts'
import type { LeadChange } from '#core/contract/leads/lead.ts'
import { assignTestLead, changeAssignment } from '#core/data/market/lead-assignments.ts'
import { findLeadRecord } from '#core/data/leads/lead-details.ts'
import { findLead } from '#core/data/leads/leads.ts'
import { findEventsToEnqueueOfLeads } from '#core/data/outbox/events.ts'
import { AppError } from '#core/errors.ts'
import type { Principal } from '../identity/find-live-session.ts'
import type { ServerContext } from '../context.ts'
import { showLead } from './show-lead.ts'
import { keepFromContact } from './suppress-person.ts'

/**
 * A client may make two changes. It may assign its own test lead to itself (the fallback of docs/product.md §7 if the
 * procedure fails), and note something about a lead that it holds. 'do not contact' keeps the person from orders
 * (docs/product.md §10).
 * @throws AppError not_found, forbidden, conflict
 */
export async function changeLead(
  context: ServerContext,
  caller: Principal,
  id: string,
  change: LeadChange,
): Promise<LeadDetail> {
  const lead = await findLead(context.db, caller, id)
  if (lead === undefined) throw new AppError('not_found', 'Lead not found')
  if (change.assigned_to !== undefined || change.status !== undefined) {
    if (
      !lead.is_test ||
      lead.user_id !== caller.user_id ||
      (change.assigned_to ?? caller.user_id) !== caller.user_id
    ) {
      throw new AppError('forbidden', 'Only your own test lead can be assigned this way, and only to you.')
    }
    const isHeld = await context.db.transaction().execute((trx) => assignTestLead(trx, caller, id))
    if (!isHeld) throw new AppError('conflict', `The lead cannot be assigned: its status is ${lead.status}.`)
    context.announce.eventsOf((outbox) => findEventsToEnqueueOfLeads(outbox, [id]))
  }
  if (change.notes !== undefined || change.disposition !== undefined) {
    const isHeld = await context.db.transaction().execute(async (trx) => {
      const held = await changeAssignment(trx, caller, id, change)
      const person =
        held && change.disposition === 'do_not_contact' ? await findLeadRecord(trx, caller, id) : undefined
      if (person !== undefined) await keepFromContact(context, trx, caller, person)
      return held
    })
    if (!isHeld) throw new AppError('conflict', 'Only a lead that is assigned to you can be annotated.')
  }
  return await showLead(context, caller, id)
}
