import { z } from 'zod'

/** What a new client does, in this order (docs/product.md §2). */
export const SETUP_STEPS = ['business', 'order', 'webhook', 'test_lead', 'funds'] as const
export const setupStepSchema = z.enum(SETUP_STEPS)
export type SetupStep = z.infer<typeof setupStepSchema>

/** What a new client has done so far, and put off. */
export const clientSetupSchema = z.object({
  /** the business has a name, and its licence names states */
  business: z.boolean(),
  /** there is a webhook */
  webhook: z.boolean(),
  /** one of them has taken a lead, also a test lead */
  delivered: z.boolean(),
  order: z.boolean(),
  /** something was ever put on the balance */
  funds: z.boolean(),
  /** a payment is asked for and not received yet */
  funds_asked: z.boolean(),
  /** the first lead that is no test */
  first_lead: z.boolean(),
  /** steps that were put off; one of them may be done since */
  skipped: z.array(setupStepSchema),
})
export type ClientSetup = z.infer<typeof clientSetupSchema>

/** `GET /api/v1/setup`: the same, and how the client's newest test lead did. */
export const setupProgressSchema = clientSetupSchema.extend({
  /** the newest test lead that the client holds */
  test_lead: z
    .object({
      id: z.uuid(),
      created_at: z.iso.datetime(),
      /** the row of the log that tells most of it: the newest that was delivered, else the newest; null while there is none */
      attempt_id: z.uuid().nullable(),
    })
    .nullable(),
  /** the newest row of the log by which a test lead was delivered */
  received_attempt_id: z.uuid().nullable(),
})
export type SetupProgress = z.infer<typeof setupProgressSchema>

/** Body of `POST /api/v1/setup/skip`. */
export const skipSetupStepSchema = z.strictObject({ step: setupStepSchema })
