import type { Reversal } from '#core/domain/market/payments/judge-reversal.ts'

/** The state of a dispute, by the provider's status. A mere inquiry of the bank has taken nothing yet. */
export function nameDisputeState(status: string): Reversal['state'] {
  if (status === 'won' || status === 'prevented') return 'won'
  if (status === 'lost') return 'lost'
  return status.startsWith('warning_') ? 'warned' : 'open'
}
