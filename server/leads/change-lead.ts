import type { LeadDetail } from '#core/contract/leads/lead-detail.ts'
import type { LeadChange } from '#core/contract/leads/lead.ts'
import type { Db } from '#core/data/database.ts'
import { assignTestLead, changeAssignment } from '#core/data/market/lead-assignments.ts'
import { findLeadRecord } from '#core/data/leads/lead-details.ts'
import { findLead } from '#core/data/leads/leads.ts'
import { lockHeldLeads } from '#core/data/leads/lock-held-leads.ts'
import { findEventsToEnqueueOfLeads } from '#core/data/outbox/events.ts'
import { repeatOnConflict } from '#core/data/repeat-on-conflict.ts'
import { AppError } from '#core/errors.ts'
import type { Principal } from '../identity/find-live-session.ts'
import type { ServerContext } from '../context.ts'
import { oneRow, type ChosenRows } from '../http/chosen-rows.ts'
import { showLead } from './show-lead.ts'
import { keepFromContact } from './suppress-person.ts'

/** Changes one lead like {@link changeLeads}. @throws AppError not_found, forbidden, conflict */
export async function changeLead(
  context: ServerContext,
  caller: Principal,
  id: string,
  change: LeadChange,
): Promise<LeadDetail> {
  const [changed] = await changeLeads(context, caller, oneRow(id), change)
  if (changed === undefined) throw new AppError('not_found', 'Lead not found')
  return await showLead(context, caller, id)
}

/**
 * Changes all these leads, or none. A client may make two changes. It may assign its own test lead to itself (the
 * fallback of docs/product.md §7 if the procedure fails), and note something about a lead that it holds. 'do not
 * contact' keeps the person from orders (docs/product.md §10).
 * @returns the ids of those that the caller may see
 * @throws AppError forbidden, conflict
 */
export async function changeLeads(
  context: ServerContext,
  caller: Principal,
  chosen: ChosenRows,
  change: LeadChange,
): Promise<readonly string[]> {
  const ids = await repeatOnConflict(() =>
    context.db.transaction().execute(async (trx) => {
      const meant = await chosen.confirm(trx, await lockHeldLeads(trx, caller, chosen.ids))
      for (const id of meant) await changeLocked(context, trx, caller, { id, change })
      await chosen.show?.(trx, meant)
      return meant
    }),
  )
  if (isAssignment(change) && ids.length > 0)
    context.announce.eventsOf((outbox) => findEventsToEnqueueOfLeads(outbox, [...ids]))
  return ids
}

function isAssignment({ assigned_to, status }: LeadChange): boolean {
  return assigned_to !== undefined || status !== undefined
}

async function changeLocked(
  context: ServerContext,
  trx: Db,
  caller: Principal,
  { id, change }: { id: string; change: LeadChange },
): Promise<void> {
  if (isAssignment(change)) await assignLocked(trx, caller, { id, change })
  if (change.notes === undefined && change.disposition === undefined) return
  if (!(await changeAssignment(trx, caller, id, change)))
    throw new AppError('conflict', 'Only a lead that is assigned to you can be annotated.')
  const person = change.disposition === 'do_not_contact' ? await findLeadRecord(trx, caller, id) : undefined
  if (person !== undefined) await keepFromContact(context, trx, caller, person)
}

async function assignLocked(
  trx: Db,
  caller: Principal,
  { id, change }: { id: string; change: LeadChange },
): Promise<void> {
  const lead = await findLead(trx, caller, id)
  const isOwnTest = lead !== undefined && lead.is_test && lead.user_id === caller.user_id
  if (!isOwnTest || (change.assigned_to ?? caller.user_id) !== caller.user_id)
    throw new AppError('forbidden', 'Only your own test lead can be assigned this way, and only to you.')
  if (!(await assignTestLead(trx, caller, id)))
    throw new AppError('conflict', `The lead cannot be assigned: its status is ${lead.status}.`)
}
