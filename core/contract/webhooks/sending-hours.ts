import { z } from 'zod'
import { orderScheduleSchema, timeZoneSchema } from '../market/order-schedule.ts'
import { scheduleSchema } from '../market/schedule.ts'

/**
 * When a configuration is sent its due deliveries (docs/product.md §3): by the wall clock of a zone, and, with
 * `when_callable`, only while the lead's person may be called. A null schedule is every hour.
 */
export const sendingHoursSchema = z
  .strictObject({
    timezone: timeZoneSchema,
    schedule: orderScheduleSchema.nullable(),
    when_callable: z.boolean({ error: 'Must be true or false' }).optional(),
  })
  .refine(({ schedule, when_callable: callable }) => schedule !== null || callable === true, {
    error: 'Needs a schedule, or when_callable; for always leave the sending hours out',
    path: ['schedule'],
  })
  // False is left out, so that equal hours are stored alike.
  .overwrite(({ when_callable: callable, ...hours }) =>
    callable === true ? { ...hours, when_callable: callable } : hours,
  )
export type SendingHours = z.infer<typeof sendingHoursSchema>

/** Stored hours as the API returns them. */
export const shownHoursSchema = z.object({
  timezone: z.string(),
  schedule: scheduleSchema.nullable(),
  when_callable: z.boolean().optional(),
})
