import { requireCents } from '#core/domain/market/cents.ts'

/** The revenue for each dollar of spend less refunds, of dollars like `'25.00'`; null without either. */
export function returnOnSpend({
  spend,
  refunded,
  revenue,
}: {
  spend: string
  refunded: string
  revenue: string
}): number | null {
  const [cost, earned] = [requireCents(spend) - requireCents(refunded), requireCents(revenue)]
  return cost > 0 && earned > 0 ? earned / cost : null
}
