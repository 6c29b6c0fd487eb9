import { webhookDeliverySchema, type WebhookDeliveryResult } from '#core/contract/webhooks/delivery.ts'
import { findLead } from '#core/data/leads/leads.ts'
import {
  countDeliveriesOfLead,
  findUnplannedEventsOfLead,
} from '#core/data/webhooks/deliveries/plan-deliveries.ts'
import { noteLeads } from '#core/fairness/fan-out.ts'
import { FAN_OUT } from '#core/fairness/limits.ts'
import { planDeliveries } from '#core/use-cases/planning/plan-deliveries.ts'
import type { Principal } from '../identity/find-live-session.ts'
import type { ServerContext } from '../context.ts'
import { repeatOnConflict } from '#core/data/repeat-on-conflict.ts'

/**
 * Makes sure that a lead's events are on their way to the client's webhooks. It sends nothing itself: the
 * same event and configuration are delivered once, however many ask (docs/contract.md §5).
 */
export async function requestWebhookDelivery(
  context: ServerContext,
  caller: Principal,
  body: unknown,
): Promise<WebhookDeliveryResult> {
  const parsed = webhookDeliverySchema.safeParse(body ?? {})
  if (!parsed.success) return refused('lead_id and client_user_id must be ids')
  const { lead_id: leadId, client_user_id: client } = parsed.data
  const lead =
    client === caller.user_id ? await findLead(context.db, { ...caller, role: 'client' }, leadId) : undefined
  if (lead === undefined) return refused('Lead not found')
  // Planned here, so that the answer can say how many there are; the worker then finds them planned.
  const unplanned = await findUnplannedEventsOfLead(context.db, leadId)
  if (unplanned.length > 0) {
    // A worker may be planning the same events in another order.
    const events = unplanned.map((event_id) => ({ event_id, turn: 0 }))
    // The limits are those of a worker, so that a caller that asks for each lead of a batch gains no priority over
    // others.
    const atOnce = { ofLead: FAN_OUT.ofLead, spreading: context.webhooks.fanOut.beyond() }
    const due = await repeatOnConflict(() => planDeliveries(context.db, events, atOnce))
    noteLeads(context.webhooks.fanOut, due)
    context.announce.deliveries(due)
  }
  const deliveries = await countDeliveriesOfLead(context.db, leadId, client)
  return { success: true, message: 'Webhook delivery requested', error: null, deliveries }
}

function refused(reason: string): WebhookDeliveryResult {
  return { success: false, message: reason, error: reason, deliveries: 0 }
}
