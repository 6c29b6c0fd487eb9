/** "98.2%", rounded; "> 99.9%" where rounding would make a whole of what is none; "–" without anything to rate. */
export function formatRate(rate: number | null): string {
  if (rate === null) return '–'
  const percent = Math.round(rate * 1000) / 10
  return percent === 100 && rate < 1 ? '> 99.9%' : `${percent.toLocaleString('en-US')}%`
}
