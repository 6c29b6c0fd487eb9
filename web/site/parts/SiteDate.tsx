const FORMAT = new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeZone: 'UTC' })

/** "November 21, 2026"; the day alone, which is the same everywhere. */
export function SiteDate({ day }: { day: string }) {
  return <time dateTime={day}>{FORMAT.format(new Date(day))}</time>
}
