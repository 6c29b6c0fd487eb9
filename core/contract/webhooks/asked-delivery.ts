import { z } from 'zod'

/** The fields of a lead that conditions can test, and those that say when its person may be called. */
export const leadFactsSchema = z.object({
  lead_type: z.string(),
  source: z.string().nullable(),
  state: z.string().nullable(),
  age: z.number().nullable(),
  /** `YYYY-MM-DD` */
  date_of_birth: z.string().nullable(),
  is_test: z.boolean(),
  custom: z.record(z.string(), z.unknown()),
  zip: z.string().nullable(),
  timezone: z.string().nullable(),
  phone: z.string().nullable(),
})
export type LeadFacts = z.infer<typeof leadFactsSchema>

/**
 * A lead's event, and the configurations with conditions or sending hours that listen to it. Each must be judged before
 * the event is planned. `version` changes with the hours and the choice, and a verdict counts for one version only.
 * `choice_id` names the triggers and conditions at the time of the event; null means those of the row.
 */
export const askedEventSchema = z.object({
  event_id: z.string(),
  lead: leadFactsSchema,
  configurations: z.array(
    z.object({ webhook_config_id: z.string(), version: z.string(), choice_id: z.string().nullable() }),
  ),
})
export type AskedEvent = z.infer<typeof askedEventSchema>
