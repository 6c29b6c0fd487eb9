const RELATIVE = new Intl.RelativeTimeFormat('en-US', { numeric: 'auto', style: 'short' })
const EXACT = new Intl.DateTimeFormat('en-US', {
  year: 'numeric',
  month: 'short',
  day: 'numeric',
  hour: 'numeric',
  minute: '2-digit',
  second: '2-digit',
  timeZoneName: 'short',
})

const STEPS: readonly [Intl.RelativeTimeFormatUnit, number][] = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
]

/** Returns "3 min. ago" or "in 2 hr."; under a minute "just now" or "in a moment". */
export function relativeTime(iso: string, now: number) {
  const seconds = Math.round((Date.parse(iso) - now) / 1000)
  for (const [unit, size] of STEPS) {
    if (Math.abs(seconds) >= size) return RELATIVE.format(Math.trunc(seconds / size), unit)
  }
  // The shared clock may be 15 s behind, so a time slightly ahead of it has just passed.
  return seconds > 15 ? 'in a moment' : 'just now'
}

/** Returns "Nov 21, 2026, 3:04:05 PM CST" in the reader's time zone, always in English. */
export function exactTime(iso: string) {
  return EXACT.format(new Date(iso))
}

const DATE = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium' })

/** Returns "Nov 21, 2026" in the reader's time zone. */
export function formatDate(iso: string) {
  return DATE.format(new Date(iso))
}
