import { z } from 'zod'
import { clientSetupSchema } from './client-setup.ts'

/**
 * `GET /api/v1/dashboard`. Days are in the account's time zone. A lead counts on the day it came in, as in the list of
 * leads (`GET /api/v1/leads?from=&to=&is_test=false`); test leads do not count.
 */
export const dashboardSchema = z.object({
  timezone: z.string(),
  leads: z.object({
    today: z.int(),
    /** today included */
    last_7_days: z.int(),
    /** the seven days before these */
    previous_7_days: z.int(),
    /** the last seven, today last; `begins_at` is the moment at which the day began */
    days: z.array(z.object({ date: z.iso.date(), begins_at: z.iso.datetime(), leads: z.int() })).length(7),
    /** the last 24 hours, the present one last; a server of an earlier version leaves them out */
    hours: z
      .array(z.object({ begins_at: z.iso.datetime(), leads: z.int() }))
      .length(24)
      .optional(),
  }),
  setup: clientSetupSchema,
})
export type Dashboard = z.infer<typeof dashboardSchema>
