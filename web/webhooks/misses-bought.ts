import { useQuery } from '@tanstack/react-query'
import { z } from 'zod'
import type { WebhookConfig } from '#core/contract/webhooks/webhook-config.ts'
import { apiPath } from '#web/api/api-path.ts'
import { request } from '#web/api/client.ts'
import { meQuery } from '#web/api/me.ts'

/** A bought lead is only assigned: it came in before anybody knew for whom. */
export const MISSES_BOUGHT =
  'The leads that you buy are not sent here: “Trigger when lead is assigned” is off.'

const hasOrderSchema = z.object({ order: z.boolean() })

/**
 * Whether a webhook with these triggers gets none of the leads that the client buys, or will buy once
 * one of its orders runs.
 */
export function useMissesBought({
  trigger_on_lead_assigned: isTold,
}: Pick<WebhookConfig, 'trigger_on_lead_assigned'>) {
  const active = useQuery(meQuery).data?.active_order_count
  const setup = useQuery({
    queryKey: ['has-order'],
    queryFn: ({ signal }) => request(apiPath('setup'), hasOrderSchema, { signal }),
    enabled: active === 0 && !isTold,
  })
  return !isTold && ((active ?? 0) > 0 || setup.data?.order === true)
}
