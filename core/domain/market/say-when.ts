import { formatCents } from './cents.ts'
import { addDays, localMoment } from './local-moment.ts'

const USD = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD' })

/** `1234` is `$12.34`. */
export function sayDollars(cents: number): string {
  return USD.format(formatCents(cents) as `${number}`)
}

/** `1 day`, `30 days`. */
export function sayDays(days: number): string {
  return days === 1 ? '1 day' : `${days} days`
}

/**
 * A moment by the clock of a zone: `12:00 AM ET` if nobody can mistake its day, otherwise `Mon, Nov 30, 9:00 AM ET`,
 * and with the year if that differs.
 */
export function sayWhen(zone: string, moment: Date, now: Date): string {
  const then = localMoment(zone, moment)
  const here = localMoment(zone, now)
  const isNear =
    then.date === here.date || (then.date === addDays(here.date, 1) && then.minute <= here.minute)
  const isThisYear = then.date.slice(0, 4) === here.date.slice(0, 4)
  return new Intl.DateTimeFormat('en-US', {
    ...(!isNear && {
      weekday: 'short',
      month: 'short',
      day: 'numeric',
      ...(!isThisYear && { year: 'numeric' }),
    }),
    hour: 'numeric',
    minute: '2-digit',
    timeZone: zone,
    timeZoneName: 'shortGeneric',
  })
    .format(moment)
    .replaceAll('\u202F', ' ')
}
