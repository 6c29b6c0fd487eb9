import { z } from 'zod'

/** What an endpoint's 2xx answer said about the lead, by the configuration's success rule. */
export const OUTCOMES = ['accepted', 'duplicate', 'rejected'] as const
export const outcomeSchema = z.enum(OUTCOMES)
export type Outcome = z.infer<typeof outcomeSchema>

/** Members by name, array items by number: `data.lead_id`, `leads[0].id`, `[0].id`. */
const JSON_PATH = /^(?:[^.[\]]+|\[\d{1,5}\])(?:\.[^.[\]]+|\[\d{1,5}\])*$/

const text = (name: string) => z.string().max(200, `${name} is too long (at most 200 characters)`)

/** Where in a JSON answer a value stands. */
export const jsonPathSchema = text('A path').regex(
  JSON_PATH,
  'A path is written like data.lead_id or leads[0].id',
)

/**
 * One test of an answer's body. `equals` compares as text (0 and "0" are the same), `contains` looks at the whole body;
 * upper and lower case count the same in both.
 */
export const matchSchema = z.union([
  z.strictObject({
    path: jsonPathSchema,
    equals: z.union([text('A value'), z.number(), z.boolean(), z.null()]),
  }),
  z.strictObject({ contains: text('The text').min(1, 'Enter the text to look for') }),
])
export type Match = z.infer<typeof matchSchema>

/**
 * Reads the body of a 2xx answer. `duplicate` is tried first, then `rejected`, then `accepted`. With `accepted` given, an
 * answer that matches nothing is a failure; without it, such an answer is accepted.
 */
export const successRuleSchema = z
  .strictObject({
    accepted: matchSchema.optional(),
    duplicate: matchSchema.optional(),
    rejected: matchSchema.optional(),
  })
  .refine((rule) => Object.values(rule).some((match) => match !== undefined), {
    error: 'A success rule needs at least one of accepted, duplicate and rejected',
  })
export type SuccessRule = z.infer<typeof successRuleSchema>

/** What a placeholder without a value becomes; core/domain/webhooks/template/render-template.ts says it in full. */
export const MISSING_VALUES = ['empty', 'null', 'omit'] as const
export const missingValuesSchema = z.enum(MISSING_VALUES)
export type MissingValues = z.infer<typeof missingValuesSchema>
