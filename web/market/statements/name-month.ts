/** "November 2026" for `2026-11`. */
export function nameMonth(month: string) {
  const at = new Date(`${month}-01T00:00:00Z`)
  return at.toLocaleDateString('en-US', { month: 'long', year: 'numeric', timeZone: 'UTC' })
}

/** `2026-12` is one month after `2026-11`. */
export function addMonths(month: string, count: number) {
  const [year = 0, number = 1] = month.split('-').map(Number)
  return new Date(Date.UTC(year, number - 1 + count, 1)).toISOString().slice(0, 7)
}
