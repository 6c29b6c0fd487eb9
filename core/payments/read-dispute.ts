import type { Reversal } from '#core/domain/market/payments/judge-reversal.ts'

/** How a dispute stands, by the provider's word. A bank that only asks has taken nothing yet. */
export function nameDisputeState(status: string): Reversal['state'] {
  if (status === 'won' || status === 'prevented') return 'won'
  if (status === 'lost') return 'lost'
  return status.startsWith('warning_') ? 'warned' : 'open'
}
