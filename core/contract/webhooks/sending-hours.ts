import { z } from 'zod'
import { orderScheduleSchema, timeZoneSchema } from '../market/order-schedule.ts'

/** When a configuration is sent its due deliveries, by the wall clock of a zone (docs/product.md §3). */
export const sendingHoursSchema = z.strictObject({ timezone: timeZoneSchema, schedule: orderScheduleSchema })
export type SendingHours = z.infer<typeof sendingHoursSchema>
