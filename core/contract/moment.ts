import { z } from 'zod'

// timestamptz reaches neither as far back nor as far ahead as a Date.
const EARLIEST = new Date('1900-01-01T00:00:00Z')
const LATEST = new Date('9999-12-31T23:59:59Z')

/** A moment in a query or a body: ISO 8601 text. null and true, which a Date would take for 1970, are refused. */
export const momentSchema = (message: string) =>
  z
    .string({ error: message })
    .pipe(z.coerce.date({ error: message }))
    .refine((moment) => moment >= EARLIEST && moment <= LATEST, message)
