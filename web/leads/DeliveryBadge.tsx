import { Check, Clock, X } from 'lucide-react'
import type { LeadSummary } from '#core/contract/leads/lead.ts'
import { Badge } from '../ui/show/Badge.tsx'

/** Where the lead's delivery stands, or a dash where no configuration wanted it. */
export function DeliveryBadge({ status }: { status: LeadSummary['delivery_status'] }) {
  switch (status) {
    case 'delivered':
      return (
        <Badge tone="success" icon={<Check aria-hidden />}>
          Delivered
        </Badge>
      )
    case 'failed':
      return (
        <Badge tone="failure" icon={<X aria-hidden />}>
          Failed
        </Badge>
      )
    case 'pending':
      return (
        <Badge tone="waiting" icon={<Clock aria-hidden />}>
          Waiting
        </Badge>
      )
    case null:
      return <span className="text-xs text-faint">None</span>
  }
}
