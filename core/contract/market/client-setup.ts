import { z } from 'zod'
import { whenLeftOut } from '../when-left-out.ts'

/** The steps that a new client takes, in this order (docs/product.md §2). */
const CLIENT_STEPS = ['business', 'order', 'webhook', 'test_lead', 'funds'] as const
/** The same, and what administrators do last. */
export const SETUP_STEPS = [...CLIENT_STEPS, 'approval'] as const
export const setupStepSchema = z.enum(SETUP_STEPS)
export type SetupStep = z.infer<typeof setupStepSchema>

/** The steps that a new client has done so far, and those that were put off. */
export const clientSetupSchema = z.object({
  /** whether the business has a name, and its licence names states */
  business: z.boolean(),
  /** whether there is a webhook */
  webhook: z.boolean(),
  /** whether one of them has accepted a lead, test leads included */
  delivered: z.boolean(),
  order: z.boolean(),
  /** whether the balance ever got money */
  funds: z.boolean(),
  /** whether a payment is requested and not received yet */
  funds_asked: z.boolean(),
  /** the first lead that is no test */
  first_lead: z.boolean(),
  /** whether an administrator approved the account, so that it may buy leads */
  approved: whenLeftOut(z.boolean(), true),
  /** since when the account waits for that decision; null if it has none to wait for */
  waits_since: whenLeftOut(z.iso.datetime().nullable(), null),
  /** minutes from sign-up to approval, half of the last 20 accounts took no longer; null with fewer than three, or once approved */
  usual_wait_minutes: z.int().nullish(),
  /** steps that were put off; one of them may be done since */
  skipped: z.array(z.enum(CLIENT_STEPS)),
})
export type ClientSetup = z.infer<typeof clientSetupSchema>

/** `GET /api/v1/setup`: the same, with the result of the client's newest test lead. */
export const setupProgressSchema = clientSetupSchema.extend({
  /** the newest test lead that the client holds */
  test_lead: z
    .object({
      id: z.uuid(),
      created_at: z.iso.datetime(),
      /** the most telling row of the log: the newest delivered one, otherwise the newest; null while there is none */
      attempt_id: z.uuid().nullable(),
    })
    .nullable(),
  /** the newest row of the log that delivered a test lead */
  received_attempt_id: z.uuid().nullable(),
})
export type SetupProgress = z.infer<typeof setupProgressSchema>

/** Body of `POST /api/v1/setup/skip`. */
export const skipSetupStepSchema = z.strictObject({ step: z.enum(CLIENT_STEPS) })
