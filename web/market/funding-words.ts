import type { Balance } from '#core/contract/market/ledger.ts'
import type { Tone } from '../ui/show/tone.ts'

/** Labels of the funding states of a balance (docs/product.md §4), the same on every screen. */
export const FUNDING: Readonly<Record<Balance['funding'], { label: string; tone: Tone }>> = {
  available: { label: 'Available', tone: 'success' },
  limited: { label: 'Limited', tone: 'waiting' },
  out: { label: 'Out of funds', tone: 'failure' },
}

/** Returns for example "About 12 days left at this pace"; without purchases there is no pace. */
export function describeDaysLeft(days: number | null) {
  if (days === null) return 'No leads bought in the last 7 days'
  if (days < 1) return 'Less than a day left at this pace'
  return `About ${days.toLocaleString('en-US')} ${days === 1 ? 'day' : 'days'} left at this pace`
}
