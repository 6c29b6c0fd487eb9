import { Check, CircleAlert, TriangleAlert } from 'lucide-react'
import type { Balance } from '#core/contract/market/money/ledger.ts'
import { Badge } from '../ui/show/Badge.tsx'
import { labelFunding } from './funding-words.ts'

const ICONS = { success: Check, waiting: TriangleAlert, failure: CircleAlert }

export function FundingBadge({ balance }: { balance: Pick<Balance, 'funding' | 'begun'> }) {
  const { label, tone } = labelFunding(balance)
  const Icon = tone in ICONS ? ICONS[tone as keyof typeof ICONS] : null
  return (
    <Badge tone={tone} icon={Icon && <Icon aria-hidden />}>
      {label}
    </Badge>
  )
}
