/** "98.2%", never rounded up to a whole that it is not; "–" without any attempt. */
export function formatRate(rate: number | null): string {
  if (rate === null) return '–'
  return `${(Math.floor(rate * 1000) / 10).toLocaleString('en-US')}%`
}
