import { Check, Clock, Minus, X } from 'lucide-react'
import type { LeadDeliveryCounts } from '#core/contract/leads/lead.ts'
import { describeDeliveries } from './describe-deliveries.ts'
import { Badge } from '../ui/show/Badge.tsx'

const ICONS = { success: Check, failure: X, waiting: Clock, neutral: Minus, info: Minus } as const

/** Shows the combined status of a lead's deliveries; nothing if no webhook wanted it. */
export function DeliveryBadge({ counts }: { counts: LeadDeliveryCounts }) {
  const { label, tone, detail } = describeDeliveries(counts)
  if (label === 'None') return null
  const Icon = ICONS[tone]
  return (
    <span title={detail ?? undefined}>
      <Badge tone={tone} icon={<Icon aria-hidden />}>
        {label}
      </Badge>
    </span>
  )
}
