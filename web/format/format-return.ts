/** Returns for example "4.2×": the revenue for each dollar of spend less what came back; "–" without either. */
export function formatReturn({
  spend,
  refunded,
  revenue,
}: {
  spend: string
  refunded: string
  revenue: string
}): string {
  const cost = Number(spend) - Number(refunded)
  if (cost <= 0 || Number(revenue) <= 0) return '–'
  const times = Number(revenue) / cost
  const digits = times < 10 ? 1 : 0
  return times < 0.1 ? '< 0.1×' : `${times.toLocaleString('en-US', { maximumFractionDigits: digits })}×`
}
