import type { LeadDeliveryCounts } from '#core/contract/leads/lead.ts'

/**
 * The status of all deliveries of a lead together. `none`: no delivery is wanted; `partly_failed`: some have finally
 * failed, the others not; `held`, `retrying`, `waiting`: none has failed, and this is the worst status among the rest.
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

/** One success alone is not enough: a lead is delivered when every webhook that should get it has it. */
export function judgeDeliveries(counts: LeadDeliveryCounts): LeadDeliveryStanding {
  if (counts.failed > 0) return counts.failed === countWanted(counts) ? 'failed' : 'partly_failed'
  if (counts.held > 0) return 'held'
  if (counts.retrying > 0) return 'retrying'
  if (counts.waiting > 0) return 'waiting'
  if (counts.delivered > 0) return 'delivered'
  return counts.cancelled > 0 ? 'cancelled' : 'none'
}

/** Number of deliveries that are not cancelled. */
export function countWanted({ delivered, failed, ...counts }: LeadDeliveryCounts): number {
  return delivered + failed + countOpen(counts)
}

/** Number of deliveries that are not finished. */
export function countOpen({
  held,
  retrying,
  waiting,
}: Pick<LeadDeliveryCounts, 'held' | 'retrying' | 'waiting'>): number {
  return held + retrying + waiting
}
