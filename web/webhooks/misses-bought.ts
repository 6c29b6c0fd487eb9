import { useQuery } from '@tanstack/react-query'
import type { WebhookConfig } from '#core/contract/webhooks/webhook-config.ts'
import { meQuery } from '#web/api/me.ts'

/** A bought lead is only assigned: it came in before anybody knew for whom. */
export const MISSES_BOUGHT =
  'The leads that you buy are not sent here: “Trigger when lead is assigned” is off.'

/** Whether a webhook with these triggers gets none of the leads that the client buys. */
export function useMissesBought({
  trigger_on_lead_assigned: isTold,
}: Pick<WebhookConfig, 'trigger_on_lead_assigned'>) {
  return (useQuery(meQuery).data?.active_order_count ?? 0) > 0 && !isTold
}
