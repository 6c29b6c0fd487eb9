import { z } from 'zod'

// timestamptz covers a shorter time than a Date, and a year must have four digits in every zone.
const EARLIEST = new Date('1900-01-01T00:00:00Z')
const LATEST = new Date('9998-12-31T23:59:59Z')
const ISO_8601 =
  /^(\d{4}-\d{2}-\d{2})(?:T(\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?)(?:(Z)|([+-]\d{2}):?(\d{2}))?)?$/i

/**
 * A moment in a query or a body: ISO 8601 text, a date or a date with time; without a zone it is taken as UTC. null and
 * true, which a Date would take for 1970, are refused, and so is a day that is not in the calendar.
 */
export const momentSchema = (message: string) =>
  z
    .string({ error: message })
    .transform(readMoment)
    .refine((moment) => moment >= EARLIEST && moment <= LATEST, message)

/**
 * Returns an invalid date if the text is no moment. A Date alone would read other forms in this machine's zone, and 30
 * February as 2 March.
 */
function readMoment(text: string): Date {
  const [, day = '', time = '00:00', , hours, minutes] = ISO_8601.exec(text.trim()) ?? []
  const midnight = new Date(`${day}T00:00:00Z`)
  if (Number.isNaN(midnight.getTime()) || midnight.toISOString().slice(0, 10) !== day) return new Date(NaN)
  return new Date(`${day}T${time}${hours === undefined ? 'Z' : `${hours}:${minutes ?? '00'}`}`)
}
