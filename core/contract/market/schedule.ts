import { z } from 'zod'

/** Days of a schedule, in their order; a week begins on Monday. */
export const weekdaySchema = z.enum(['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'])
export type Weekday = z.infer<typeof weekdaySchema>

const from = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'Must be a time like 09:00')
const to = z.string().regex(/^(([01]\d|2[0-3]):[0-5]\d|24:00)$/, 'Must be a time like 18:00')

/** Windows of one day. */
export const windowsSchema = z.array(z.tuple([from, to]))

/**
 * When an order takes leads, by the wall clock of its zone: windows of a day, each from one minute until another. A
 * window whose end is not after its beginning lasts into the next day. An absent day has none.
 */
export const scheduleSchema = z.partialRecord(weekdaySchema, windowsSchema.max(12))
export type Schedule = z.infer<typeof scheduleSchema>
