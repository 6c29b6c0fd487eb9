import type { EndpointHealth } from '#core/contract/webhooks/endpoint-health.ts'
import type { WebhookConfig } from '#core/contract/webhooks/webhook-config.ts'
import { isInTrouble } from '#core/domain/webhooks/endpoint-status.ts'
import { Badge } from '#web/ui/show/Badge.tsx'

/**
 * 'Active' or 'Inactive' for clients and administrators alike (docs/product.md §2); green only if the
 * endpoint takes its leads.
 */
export function EndpointState({
  config,
  health,
}: {
  config: Pick<WebhookConfig, 'is_active'>
  health: Pick<EndpointHealth, 'standing'> | undefined
}) {
  if (!config.is_active) return <Badge>Inactive</Badge>
  const isSick = health !== undefined && isInTrouble(health)
  return <Badge tone={isSick ? 'waiting' : 'success'}>Active</Badge>
}
