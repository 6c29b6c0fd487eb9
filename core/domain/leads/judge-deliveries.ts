import type { LeadDeliveryCounts } from '#core/contract/leads/lead.ts'

/**
 * What all deliveries of a lead come to, in one word. `none` are wanted; `partly_failed`: some have finally failed, the others
 * not; `held`, `retrying`, `waiting`: none has failed, and this is what stands most in the way of the rest.
 */
export type LeadDeliveryStanding =
  | 'none'
  | 'delivered'
  | 'partly_failed'
  | 'failed'
  | 'held'
  | 'retrying'
  | 'waiting'
  | 'cancelled'

/** One success speaks for itself alone: delivered is what every webhook has that was not told to go without. */
export function judgeDeliveries(counts: LeadDeliveryCounts): LeadDeliveryStanding {
  if (counts.failed > 0) return counts.failed === countWanted(counts) ? 'failed' : 'partly_failed'
  if (counts.held > 0) return 'held'
  if (counts.retrying > 0) return 'retrying'
  if (counts.waiting > 0) return 'waiting'
  if (counts.delivered > 0) return 'delivered'
  return counts.cancelled > 0 ? 'cancelled' : 'none'
}

/** Deliveries that nobody has cancelled. */
export function countWanted({ delivered, failed, ...counts }: LeadDeliveryCounts): number {
  return delivered + failed + countOpen(counts)
}

/** Deliveries of which more is to come. */
export function countOpen({
  held,
  retrying,
  waiting,
}: Pick<LeadDeliveryCounts, 'held' | 'retrying' | 'waiting'>): number {
  return held + retrying + waiting
}
