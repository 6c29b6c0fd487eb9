import type { Balance } from '#core/contract/market/money/ledger.ts'
import type { Tone } from '../ui/show/tone.ts'

type Funds = Pick<Balance, 'funding' | 'begun'>

/** The funding states of a balance (docs/product.md §4), the same on every screen. */
const FUNDING: Readonly<Record<Balance['funding'], { label: string; tone: Tone }>> = {
  available: { label: 'Available', tone: 'success' },
  limited: { label: 'Limited', tone: 'waiting' },
  out: { label: 'Out of funds', tone: 'failure' },
}

/** Labels a balance. Before the first order and money, an empty one is a step to take and no problem. */
export function labelFunding({ funding, begun }: Funds): { label: string; tone: Tone } {
  return funding === 'out' && !begun ? { label: 'Add funds to start', tone: 'neutral' } : FUNDING[funding]
}

/** Returns for example "About 12 days left at this pace"; without purchases there is no pace. */
export function describeDaysLeft({ balance, days_left: days }: Pick<Balance, 'balance' | 'days_left'>) {
  if (days === null) return 'No leads bought in the last 7 days'
  if (Number(balance) <= 0) return 'Nothing is left to buy leads with'
  if (days < 1) return 'Less than a day left at this pace'
  return `About ${days.toLocaleString('en-US')} ${days === 1 ? 'day' : 'days'} left at this pace`
}
