import { z } from 'zod'

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

/**
 * A lead's event, and the configurations that listen to it, but not to everything, or not always: each has to be judged before it is
 * planned. `version` is of its hours and its choice: a verdict is for these alone. `choice_id` names the triggers and
 * conditions that held when the event happened; null where those of the row hold.
 */
export const askedEventSchema = z.object({
  event_id: z.string(),
  lead: leadFactsSchema,
  configurations: z.array(
    z.object({ webhook_config_id: z.string(), version: z.string(), choice_id: z.string().nullable() }),
  ),
})
export type AskedEvent = z.infer<typeof askedEventSchema>
