import { localMoment } from '../local-moment.ts'
import { countForRank, type RankedCount } from './rank-orders.ts'
import { countingMoment, EMPTY_TALLY, readTally, type Counting } from '../tally.ts'

/** One of a client's orders of a type, deleted ones included. */
export interface OwnOrder extends RankedCount, Counting {
  weight: number
  day: string
  day_leads: number
}

/**
 * The number of leads that a new order counts as received today. Relative to its weight, it is the highest number among
 * the client's orders of the type. So a client gets no leads sooner by deleting an order and creating another, or by
 * creating one more.
 */
export function findHeadStart(
  own: readonly OwnOrder[],
  { timezone, weight }: { timezone: string; weight: number },
  at: Date,
): { ahead_day: string; ahead_leads: number } {
  const shares = own.map(({ day, day_leads, ...order }) => {
    const tally = readTally({ ...EMPTY_TALLY, day, day_leads }, countingMoment(order, at))
    return Math.ceil((countForRank(order, tally) * weight) / order.weight)
  })
  return {
    ahead_day: localMoment(timezone, at).date,
    ahead_leads: shares.reduce((most, share) => Math.max(most, share), 0),
  }
}
