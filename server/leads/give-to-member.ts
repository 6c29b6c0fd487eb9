import type { LeadDetail } from '#core/contract/leads/lead-detail.ts'
import type { LeadGiving } from '#core/contract/leads/lead.ts'
import { findLeadRecord } from '#core/data/leads/lead-details.ts'
import { repeatOnConflict } from '#core/data/repeat-on-conflict.ts'
import { AppError } from '#core/errors.ts'
import { failpoint } from '#core/failpoints.ts'
import { giveLead } from '#core/use-cases/market/give-lead.ts'
import type { ServerContext } from '../context.ts'
import type { Principal } from '../identity/find-live-session.ts'
import { chooseMember } from '../market/own-member.ts'
import { refuseNaming } from '../market/refuse-naming.ts'
import { showLead } from './show-lead.ts'

/**
 * Gives a lead to a person of the caller's account, or to nobody in particular. That person's webhooks get it, and its
 * timeline says so.
 * @throws AppError not_found, conflict, validation_failed
 */
export async function giveToMember(
  context: ServerContext,
  caller: Principal,
  id: string,
  { member_user_id: wanted, note }: LeadGiving,
): Promise<LeadDetail> {
  const viewer = { ...caller, role: 'client' } as const
  const lead = await findLeadRecord(context.db, viewer, id)
  if (lead === undefined) throw new AppError('not_found', 'Lead not found')
  if (note !== null) refuseNaming('note', note, lead)
  const event = await repeatOnConflict(() =>
    context.db.transaction().execute(async (trx) => {
      const member = await chooseMember(trx, caller, wanted)
      const { user_id: client, person_id: by } = caller
      return await giveLead(trx, { lead_id: id, client, member, by, note })
    }),
  )
  await failpoint('after-give')
  if (event !== undefined) context.announce.events([event])
  return await showLead(context, viewer, id)
}
