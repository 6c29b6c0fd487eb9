import { lockOpenLeads, pauseOrdersOf, switchOffWebhooksOf } from '#core/data/accounts/released-rows.ts'
import type { Db } from '#core/data/database.ts'
import { endUnplanned, setMember, writeGiven } from '#core/data/market/sale/given-leads.ts'
import { lockWebhooks } from '#core/data/market/settle-return.ts'
import type { EventToEnqueue } from '#core/data/outbox/events.ts'
import { cancelAllDeliveries } from '#core/data/webhooks/deliveries/cancel-deliveries.ts'

/** The text beside a webhook that was switched off so. */
const LEFT = 'The person who had this webhook no longer works on leads of the account.'

/**
 * Takes from a person who leaves an account, or works no leads any more, what was theirs there, in the transaction of
 * the change (docs/product.md §10): open leads become the account's, with a note on their timelines; webhooks are
 * switched off, and what waits for them is cancelled; orders become shared and paused. Closed leads keep the person's
 * name for the figures.
 * @param by who removed the person; the person, if they left
 * @returns events to enqueue after the commit
 */
export async function releaseMember(
  trx: Db,
  { account, member, by }: { account: string; member: string; by: string },
): Promise<EventToEnqueue[]> {
  // Orders first: a sale by one of them has ended by then, so its lead is found too.
  await pauseOrdersOf(trx, account, member)
  const leads = await lockOpenLeads(trx, account, member)
  const first = new Set(await endUnplanned(trx, leads, account))
  await lockWebhooks(trx, account)
  const webhooks = await switchOffWebhooksOf(trx, account, member, LEFT)
  await setMember(trx, leads, null)
  for (const id of webhooks) await cancelAllDeliveries(trx, account, by, { webhook_config_id: id })
  const giving = { client: account, member: null, by, note: null, released: true } as const
  return await writeGiven(
    trx,
    leads.map((lead_id) => ({ ...giving, lead_id, was: member, is_first: first.has(lead_id) })),
  )
}
