import type { Db } from '#core/data/database.ts'
import {
  endUnplanned,
  markUnread,
  readGivable,
  setMember,
  writeGiven,
  type Giving,
} from '#core/data/market/sale/given-leads.ts'
import { lockLead, lockWebhooks } from '#core/data/market/settle-return.ts'
import type { EventToEnqueue } from '#core/data/outbox/events.ts'
import { cancelAllDeliveries } from '#core/data/webhooks/deliveries/cancel-deliveries.ts'
import { AppError } from '#core/errors.ts'
import { failpoint } from '#core/failpoints.ts'

/**
 * Gives a lead to a person of its account, or to nobody in particular, in the caller's transaction. The person's own
 * webhooks get it once, what waits for the webhooks of others is cancelled, and shared webhooks do not get it again.
 * Takes the locks in the order of a return: lead, events, webhooks, deliveries.
 * @returns the event to enqueue after the commit, if there is one
 * @throws AppError not_found, conflict
 */
export async function giveLead(trx: Db, giving: Giving): Promise<EventToEnqueue | undefined> {
  const { lead_id: id, client, member, by } = giving
  await lockLead(trx, id)
  const lead = await readGivable(trx, client, id)
  if (lead === undefined) throw new AppError('not_found', 'Lead not found')
  if (lead.status === 'returned') throw new AppError('conflict', 'This lead was returned.')
  if (lead.is_erased) throw new AppError('conflict', 'The person was erased.')
  if (lead.member_user_id === member)
    throw new AppError(
      'conflict',
      member === null ? 'This lead is shared already.' : 'This person has the lead already.',
    )
  const [first] = await endUnplanned(trx, [id], client)
  await lockWebhooks(trx, client)
  await setMember(trx, [id], member)
  if (member !== null) await markUnread(trx, id)
  await cancelAllDeliveries(trx, client, by, { of_others: { lead_id: id } })
  const [event] = await writeGiven(trx, [
    { ...giving, was: lead.member_user_id, is_first: first !== undefined },
  ])
  await failpoint('before-give')
  return event
}
