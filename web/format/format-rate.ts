/**
 * Returns for example "98.2%", rounded. A rate below 1 is never shown as 100% but as "> 99.9%"; null is shown
 * as "–".
 */
export function formatRate(rate: number | null): string {
  if (rate === null) return '–'
  const percent = Math.round(rate * 1000) / 10
  return percent === 100 && rate < 1 ? '> 99.9%' : `${percent.toLocaleString('en-US')}%`
}
