import { formatCents, requireCents } from './cents.ts'

/**
 * Figures of the leads of one source in a span of time (docs/product.md §2, Figures). Money is dollars as text.
 */
export interface MarketSum {
  /** the source's id; null for leads without one */
  source_id: string | null
  /** the beginning of the hour in which the sold leads had come in, in milliseconds; null for everything else */
  came: number | null
  leads_in: number
  duplicates: number
  cost: string
  sold: number
  /** leads in that were sold for the first time */
  first_sold: number
  sales: string
  returned: number
  credits: string
}

/** The figures of a span. */
export interface MarketFigures {
  leads_in: number
  sold: number
  unsold: number
  returned: number
  duplicates: number
  revenue: string
  cost: string
  margin: string
}

/**
 * The figures of a span.
 * @param sums all of the span
 * @param begins the span's beginning, in milliseconds: a lead that came before it is not one of the unsold
 */
export function figureOut(sums: readonly MarketSum[], begins: number): MarketFigures {
  const add = (count: (sum: MarketSum) => number) => sums.reduce((all, sum) => all + count(sum), 0)
  const leadsIn = add((sum) => sum.leads_in)
  const revenue = add((sum) => requireCents(sum.sales) - requireCents(sum.credits))
  const cost = add((sum) => requireCents(sum.cost))
  return {
    leads_in: leadsIn,
    sold: add((sum) => sum.sold),
    unsold: leadsIn - add((sum) => (sum.came !== null && sum.came >= begins ? sum.first_sold : 0)),
    returned: add((sum) => sum.returned),
    duplicates: add((sum) => sum.duplicates),
    revenue: formatCents(revenue),
    cost: formatCents(cost),
    margin: formatCents(revenue - cost),
  }
}

/** A part of a whole, 0 to 1; null of nothing. */
export function shareOf(part: number, whole: number): number | null {
  return whole === 0 ? null : part / whole
}
