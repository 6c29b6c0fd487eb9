import { CircleCheck } from 'lucide-react'
import type { OwnRevocation } from '#core/contract/leads/revocation.ts'
import { Badge } from '../../ui/show/Badge.tsx'
import { ExactTime } from '../../ui/show/ExactTime.tsx'
import { sayCountdown, sayReceipt, toneOfCountdown } from './say-countdown.ts'

export type ReceiptProps = Pick<OwnRevocation, 'acknowledged_at' | 'acknowledged_by' | 'webhook_name'> & {
  business_days_left: number | null
}

/** When and how it was acknowledged, or the time that is left. */
export function Receipt(props: ReceiptProps) {
  const { acknowledged_at: at, business_days_left: days } = props
  if (at === null) return <Badge tone={toneOfCountdown(days)}>{sayCountdown(days) ?? 'Open'}</Badge>
  return (
    <span className="inline-flex flex-wrap items-center gap-x-2 gap-y-1">
      <Badge tone="success" icon={<CircleCheck aria-hidden />}>
        Acknowledged
      </Badge>
      <span className="text-xs text-muted">
        {sayReceipt(props)}, <ExactTime at={at} />
      </span>
    </span>
  )
}
