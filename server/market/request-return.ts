import type { LeadReturn, ReturnRequest } from '#core/contract/market/lead-return.ts'
import type { Db } from '#core/data/database.ts'
import { findLead } from '#core/data/leads/leads.ts'
import { countRecentReturns, findReturnableLead, findReturnOfLead } from '#core/data/market/lead-returns.ts'
import { sendEvidence } from '#core/data/market/return-evidence.ts'
import { closeReturn, insertReturn, lockLead, lockReturn } from '#core/data/market/settle-return.ts'
import { isReturnHeld, judgeReturn } from '#core/domain/market/judge-return.ts'
import { AppError } from '#core/errors.ts'
import type { ServerContext } from '../context.ts'
import { repeatOnConflict } from '#core/data/repeat-on-conflict.ts'
import type { Principal } from '../identity/find-live-session.ts'

/**
 * Requests a refund for a lead, once for each lead and within its window. A request of a client that returns
 * a large part of its leads is accepted too, but marked for closer review.
 * @throws AppError not_found, conflict, validation_failed
 */
export async function requestReturn(
  context: ServerContext,
  caller: Principal,
  leadId: string,
  { evidence, ...asked }: ReturnRequest,
): Promise<LeadReturn> {
  const viewer = { ...caller, role: 'client' } as const
  if ((await findLead(context.db, viewer, leadId)) === undefined)
    throw new AppError('not_found', 'Lead not found')
  const client = caller.user_id
  await repeatOnConflict(() =>
    context.db.transaction().execute(async (trx) => {
      await lockLead(trx, leadId)
      const made = await askForReturn(trx, client, leadId, asked)
      if (!made.ok) throw new AppError('conflict', made.refusal)
      await sendFiles(trx, { return_id: made.id, lead_id: leadId, client }, [...new Set(evidence)])
    }),
  )
  return await requireReturn(context, client, leadId)
}

/** Requests it under the lock of the lead; `refusal` is the reason why it cannot be requested, as a sentence. */
export async function askForReturn(
  trx: Db,
  client: string,
  leadId: string,
  asked: Pick<ReturnRequest, 'reason' | 'note'>,
): Promise<{ ok: true; id: string } | { ok: false; refusal: string }> {
  const lead = await findReturnableLead(trx, client, leadId)
  if (lead === undefined) {
    const earlier = await findReturnOfLead(trx, client, leadId)
    const refusal = earlier && 'A return was already requested for this lead'
    return { ok: false, refusal: refusal ?? 'Only a lead that is assigned to you can be returned.' }
  }
  const refusal = judgeReturn(lead, new Date(), lead.timezone)
  if (refusal !== undefined) return { ok: false, refusal }
  const isHeld = isReturnHeld(await countRecentReturns(trx, client))
  const id = await insertReturn(
    trx,
    { lead_id: leadId, assignment_id: lead.assignment_id, client },
    { ...asked, asked_by: 'client', held_for_review: isHeld },
  )
  return { ok: true, id }
}

/** @throws AppError validation_failed if one of the files is gone, or was never this client's or of this lead */
async function sendFiles(
  trx: Db,
  asked: { return_id: string; lead_id: string; client: string },
  ids: readonly string[],
): Promise<void> {
  if (ids.length === 0 || (await sendEvidence(trx, asked, ids)) === ids.length) return
  const errors = [
    { path: 'evidence', message: 'A file is no longer there. Remove the files and add them again' },
  ]
  throw new AppError('validation_failed', 'The files cannot be sent with this return.', { errors })
}

/** Withdraws a request that nobody has decided yet. @throws AppError not_found, conflict */
export async function withdrawReturn(
  context: ServerContext,
  caller: Principal,
  leadId: string,
): Promise<LeadReturn> {
  const client = caller.user_id
  await repeatOnConflict(() =>
    context.db.transaction().execute(async (trx) => {
      const request = await lockReturn(trx, { lead_id: leadId, client })
      if (request === undefined)
        throw new AppError('not_found', 'No return was requested for this lead of yours.')
      if (request.status !== 'pending')
        throw new AppError('conflict', `This return is ${request.status} already.`)
      await closeReturn(trx, request, { status: 'withdrawn', by: caller.person_id, note: null })
    }),
  )
  return await requireReturn(context, client, leadId)
}

async function requireReturn(context: ServerContext, client: string, leadId: string): Promise<LeadReturn> {
  const found = await findReturnOfLead(context.db, client, leadId)
  if (found === undefined) throw new AppError('not_found', 'No return was requested for this lead of yours.')
  return found
}
