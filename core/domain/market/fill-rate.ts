import { countingMoment, readTally, type Counting, type Tally } from './tally.ts'

/** A running order with at least one cap, and what it got. */
export interface CappedOrder extends Counting {
  order_id: string
  order_name: string
  client_id: string
  client_name: string
  daily_cap: number | null
  weekly_cap: number | null
  monthly_cap: number | null
  total_cap: number | null
  tally: Tally
}

/** Leads that an order got of one of its caps (docs/product.md §2, Figures). */
export interface Fill {
  per: 'day' | 'week' | 'month' | 'total'
  leads: number
  cap: number
  fill_rate: number
}

/** The fill rate of each cap of an order at a moment, by the order's own clock. */
export function judgeFill(order: CappedOrder, at: Date): Fill[] {
  const tally = readTally(order.tally, countingMoment(order, at))
  const caps = [
    ['day', tally.day_leads, order.daily_cap],
    ['week', tally.week_leads, order.weekly_cap],
    ['month', tally.month_leads, order.monthly_cap],
    ['total', tally.total_leads, order.total_cap],
  ] as const
  return caps.flatMap(([per, leads, cap]) =>
    cap === null ? [] : [{ per, leads, cap, fill_rate: leads / cap }],
  )
}

/** Leads that an order could still take before its first cap ends it. */
export function countMissing(fills: readonly Fill[]): number {
  return fills.length === 0 ? 0 : Math.max(0, Math.min(...fills.map(({ leads, cap }) => cap - leads)))
}
