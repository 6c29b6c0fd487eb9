import type { OrderState } from '#core/contract/market/order.ts'
import { Badge } from '#web/ui/show/Badge.tsx'
import type { Tone } from '#web/ui/show/tone.ts'

const STATES: Record<OrderState['code'], { label: string; tone: Tone }> = {
  active: { label: 'Active', tone: 'success' },
  paused: { label: 'Paused', tone: 'neutral' },
  scheduled: { label: 'Scheduled', tone: 'info' },
  capped: { label: 'Capped', tone: 'waiting' },
  // The balance's own card and notice say in red what this has run out of.
  out_of_funds: { label: 'Out of funds', tone: 'waiting' },
  ended: { label: 'Ended', tone: 'neutral' },
  account: { label: 'Account', tone: 'waiting' },
}

export function OrderStateBadge({ code }: Pick<OrderState, 'code'>) {
  const { label, tone } = STATES[code]
  return <Badge tone={tone}>{label}</Badge>
}
