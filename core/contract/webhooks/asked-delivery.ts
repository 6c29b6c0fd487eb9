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
 * planned. `version` is of the configuration's row: a verdict is for this one alone.
 */
export const askedEventSchema = z.object({
  event_id: z.string(),
  lead: leadFactsSchema,
  configurations: z.array(z.object({ webhook_config_id: z.string(), version: z.string() })),
})
export type AskedEvent = z.infer<typeof askedEventSchema>
