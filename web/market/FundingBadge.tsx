import { Check, CircleAlert, TriangleAlert } from 'lucide-react'
import type { Balance } from '#core/contract/market/ledger.ts'
import { Badge } from '../ui/show/Badge.tsx'
import { FUNDING } from './funding-words.ts'

const ICONS = { available: Check, limited: TriangleAlert, out: CircleAlert }

export function FundingBadge({ funding }: { funding: Balance['funding'] }) {
  const { label, tone } = FUNDING[funding]
  const Icon = ICONS[funding]
  return (
    <Badge tone={tone} icon={<Icon aria-hidden />}>
      {label}
    </Badge>
  )
}
