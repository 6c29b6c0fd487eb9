import type { LeadMoved, Reassignment } from '#core/contract/leads/admin-lead.ts'
import type { ReturnReason } from '#core/contract/market/lead-return.ts'
import type { SuppressionReason } from '#core/contract/market/suppression.ts'
import type { Db } from '#core/data/database.ts'
import { findLeadRecord, type LeadRecord } from '#core/data/leads/lead-details.ts'
import { putUpForSale, readMovable, writeOffer } from '#core/data/market/sale/moved-leads.ts'
import { lockLead } from '#core/data/market/settle-return.ts'
import { tellClient } from '#core/use-cases/market/tell-client.ts'
import { findEventsToEnqueueOfLeads } from '#core/data/outbox/events.ts'
import { repeatOnConflict } from '#core/data/repeat-on-conflict.ts'
import { AppError } from '#core/errors.ts'
import { failpoint } from '#core/failpoints.ts'
import { reassignLead, refuseUnsellable } from '#core/use-cases/market/reassign-lead.ts'
import { takeLeadBack } from '#core/use-cases/market/take-lead-back.ts'
import type { ServerContext } from '../../context.ts'
import { auditChange, type By } from '../../market/audit-change.ts'
import { refuseNaming } from '../../market/refuse-naming.ts'
import { suppressLead } from '../suppress-person.ts'

/**
 * Gives a lead to another order, with the money moved in one transaction.
 * @throws AppError not_found, conflict, validation_failed
 */
export async function moveLead(
  context: ServerContext,
  by: By,
  lead_id: string,
  { order_id, reason }: Reassignment,
): Promise<LeadMoved> {
  await readLead(context.db, by, lead_id, 'reason', reason)
  const wish = { lead_id, order_id, by: by.caller.user_id }
  const moved = await reassignLead(context.market, wish, async (trx, { sale, price, before }) => {
    const details = {
      lead_id,
      before: before && { client_user_id: before.client_user_id, credited: before.credited },
      after: { client_user_id: sale.client_user_id, order_id, price },
      note: reason,
    }
    await auditChange(trx, by, { action: 'lead_reassigned', client: sale.client_user_id, details })
  })
  await failpoint('after-reassign')
  context.announce.eventsOf((outbox) => findEventsToEnqueueOfLeads(outbox, [lead_id]))
  const { sale, price, before } = moved
  return {
    lead_id,
    client_user_id: sale.client_user_id,
    order_id: sale.order_id,
    price,
    credited: before?.credited ?? null,
  }
}

/**
 * Has a lead that nobody holds offered to all orders again, for as long as a new one.
 * @throws AppError not_found, conflict, validation_failed
 */
export async function offerAgain(
  context: ServerContext,
  by: By,
  lead_id: string,
  reason: string,
): Promise<void> {
  await readLead(context.db, by, lead_id, 'reason', reason)
  await repeatOnConflict(() =>
    context.db.transaction().execute(async (trx) => {
      await lockLead(trx, lead_id)
      const lead = await readMovable(trx, lead_id)
      if (lead === undefined) throw new AppError('not_found', 'Lead not found')
      if (lead.holder !== null)
        throw new AppError('conflict', 'A client has this lead. Return it or reassign it instead.')
      refuseUnsellable(lead)
      await putUpForSale(trx, lead_id, context.market.holdHours)
      await writeOffer(trx, lead_id)
      const details = { lead_id, before: { status: lead.status }, note: reason }
      await auditChange(trx, by, { action: 'lead_offered_again', details })
    }),
  )
  context.announce.eventsOf((outbox) => findEventsToEnqueueOfLeads(outbox, [lead_id]))
}

/**
 * Returns a lead on behalf of its client, at any time after the sale: the price is credited at once.
 * @throws AppError not_found, conflict, validation_failed
 */
export async function returnForClient(
  context: ServerContext,
  by: By,
  lead_id: string,
  { reason, note }: { reason: ReturnReason; note: string },
): Promise<void> {
  await readLead(context.db, by, lead_id, 'note', note)
  await repeatOnConflict(() =>
    context.db.transaction().execute(async (trx) => {
      await lockLead(trx, lead_id)
      const lead = await readMovable(trx, lead_id)
      if (lead === undefined || lead.holder === null)
        throw new AppError('conflict', 'No client has this lead.')
      if (lead.is_test || lead.owner !== null)
        throw new AppError('conflict', 'This lead cost nothing and cannot be returned.')
      const { assignment_id, client_user_id: client } = lead.holder
      const held = { lead_id, assignment_id, client_user_id: client }
      const taken = await takeLeadBack(trx, held, { reason, by: by.caller.user_id, state: 'returned' })
      if (typeof taken === 'string')
        throw new AppError(
          'conflict',
          'This client does not hold the lead any more, or the account was erased.',
        )
      const data = { lead_id, status: 'approved', amount: taken.credited, note: null } as const
      await tellClient(trx, client, { template: 'return_decided', data }, assignment_id)
      const details = { lead_id, assignment_id, reason, amount: taken.credited, note }
      await auditChange(trx, by, { action: 'lead_returned_for_client', client, details })
      await failpoint('before-return')
    }),
  )
  context.announce.eventsOf((outbox) => findEventsToEnqueueOfLeads(outbox, [lead_id]))
}

/** Keeps the person of a lead from being sold again. @throws AppError not_found, conflict, validation_failed */
export async function suppressPersonOf(
  context: ServerContext,
  by: By,
  lead_id: string,
  { reason, note }: { reason: SuppressionReason; note: string },
): Promise<{ added: number }> {
  const lead = await readLead(context.db, by, lead_id, 'note', note)
  if (lead.is_test) throw new AppError('conflict', 'A test lead names nobody who could be suppressed.')
  const added = await context.db.transaction().execute(async (trx) => {
    const count = await suppressLead(context, trx, by.caller, lead, { reason, note })
    const details = { lead_id, reason, added: count, note }
    await auditChange(trx, by, { action: 'suppressions_added', details })
    return count
  })
  return { added }
}

/** Reads the lead, and keeps its person out of a text that stays for good. */
async function readLead(db: Db, by: By, id: string, path: string, text: string): Promise<LeadRecord> {
  const lead = await findLeadRecord(db, by.caller, id)
  if (lead === undefined) throw new AppError('not_found', 'Lead not found')
  refuseNaming(path, text, lead)
  return lead
}
