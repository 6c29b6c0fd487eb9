const ISO_TIME =
  /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?)\s?(Z|UTC|GMT|[+-]\d{2}(?::?\d{2})?)?)?$/i

/** The time after a date, perhaps after a comma: 24 hours or twelve, with or without a zone. */
const TIME_OF_DAY =
  /(?:T|,?\s+)\d{1,2}:\d{2}(?::\d{2}(?:[.,]\d{1,9})?)?(?:\s?[AP]M)?\s?(?:Z|UTC|GMT|[+-]\d{2}(?::?\d{2})?)?$/i

/**
 * `YYYY-MM-DD` for that form or the American MM/DD/YYYY; a time after it is ignored, and never moves the day. Undefined
 * for a date that is not in the calendar, is before 1880 or after `today`.
 * @param today `YYYY-MM-DD`
 */
export function normaliseBirthDate(text: string, today: string): string | undefined {
  const day = text.replace(TIME_OF_DAY, '')
  const american = /^(\d{1,2})[/-](\d{1,2})[/-](\d{4})$/.exec(day)
  const iso =
    american === null
      ? day
      : `${american[3] ?? ''}-${(american[1] ?? '').padStart(2, '0')}-${(american[2] ?? '').padStart(2, '0')}`
  return isDay(iso) && iso >= '1880-01-01' && iso <= today ? iso : undefined
}

/**
 * ISO 8601 in UTC for a date or a date with time; without a zone it is taken as UTC. Undefined for anything else, and
 * for years before 1900 or after 9999, which are typing errors.
 */
export function normaliseTime(text: string): string | undefined {
  const [, day = '', time = '00:00', zone = 'Z'] = ISO_TIME.exec(text) ?? []
  if (!isDay(day)) return undefined
  const [, hours, minutes] = /^([+-]\d{2}):?(\d{2})?$/.exec(zone) ?? []
  const offset = hours === undefined ? 'Z' : `${hours}:${minutes ?? '00'}`
  const moment = new Date(`${day}T${time}${offset}`)
  if (Number.isNaN(moment.getTime())) return undefined
  const iso = moment.toISOString()
  // A zone can move the time past either end: toISOString then writes six digits of year.
  return /^(19|[2-9]\d)\d\d-/.test(iso) ? iso : undefined
}

/** Date would turn 30 February into a day in March. */
function isDay(iso: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(iso)) return false
  const day = new Date(`${iso}T00:00:00Z`)
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(iso)
}
