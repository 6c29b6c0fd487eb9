import { Funnel } from 'lucide-react'
import type { EndpointHealth } from '#core/contract/webhooks/endpoint-health.ts'
import type { WebhookConfig } from '#core/contract/webhooks/webhook-config.ts'
import { wordConditions } from '#core/domain/webhooks/conditions/word-conditions.ts'
import { useNow } from '#web/ui/use-now.ts'
import { describeFitsNow } from './describe-fits-now.ts'

export interface FitsNowProps {
  config: WebhookConfig
  health: EndpointHealth | undefined
  className?: string
  /** true to include the conditions in words */
  isWhole?: boolean
}

/** Says which leads the webhook's conditions and sending hours keep back now. */
export function FitsNow({ config, health, className = '', isWhole = false }: FitsNowProps) {
  const said = describeFitsNow(config, health, new Date(useNow()), isWhole)
  if (said.length === 0) return null
  return (
    <p
      className={`flex items-start gap-1.5 text-xs text-muted ${className}`}
      {...(config.conditions === null ? {} : { title: wordConditions(config.conditions) })}
    >
      <Funnel aria-hidden className="mt-0.5 size-3 shrink-0" />
      <span className="min-w-0 break-words tabular">{said.join(' ')}</span>
    </p>
  )
}
