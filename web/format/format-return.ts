/** Returns for example "4.2×" for the revenue of each dollar of spend; "–" for null. */
export function formatReturn(times: number | null): string {
  if (times === null) return '–'
  const digits = times < 10 ? 1 : 0
  return times < 0.1 ? '< 0.1×' : `${times.toLocaleString('en-US', { maximumFractionDigits: digits })}×`
}
