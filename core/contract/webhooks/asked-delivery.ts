import { z } from 'zod'
import { conditionsSchema } from './conditions.ts'
import { sendingHoursSchema } from './sending-hours.ts'

/** What of a lead conditions can ask for. */
export const leadFactsSchema = z.object({
  lead_type: z.string(),
  source: z.string().nullable(),
  state: z.string().nullable(),
  age: z.number().nullable(),
  /** `YYYY-MM-DD` */
  date_of_birth: z.string().nullable(),
  is_test: z.boolean(),
  custom: z.record(z.string(), z.unknown()),
})
export type LeadFacts = z.infer<typeof leadFactsSchema>

/** What a delivery is judged by before it is planned, as PostgreSQL answers it. */
export const askedDeliverySchema = z.object({
  event_id: z.string(),
  webhook_config_id: z.string(),
  /** of the configuration's row: a verdict is for this one alone */
  version: z.string(),
  // What only another version can read does not keep a lead from being sent.
  conditions: conditionsSchema.nullable().catch(null),
  sending_hours: sendingHoursSchema.nullable().catch(null),
  lead: leadFactsSchema,
})
/** A lead's event and a configuration that listens to it, but not to everything, or not always. */
export type AskedDelivery = z.infer<typeof askedDeliverySchema>
