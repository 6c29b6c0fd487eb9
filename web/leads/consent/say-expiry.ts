const DAY_MS = 24 * 3600 * 1000
const DAY = new Intl.DateTimeFormat('en-US', { year: 'numeric', month: 'short', day: 'numeric' })

/** Says when an unretained consent certificate expires: "Expires in 63 days, on Feb 21, 2027". */
export function sayExpiry(iso: string, now: number): string {
  const at = Date.parse(iso)
  const day = DAY.format(at)
  const days = Math.floor((at - now) / DAY_MS)
  if (at <= now) return `Expired on ${day}, unless somebody retained it`
  if (days === 0) return `Expires within a day, on ${day}, unless somebody retains it`
  return `Expires in ${days === 1 ? '1 day' : `${days} days`}, on ${day}, unless somebody retains it`
}
