import { z } from 'zod'

/** Choices for the life of a link to a posting specification, in days. */
export const POSTING_SPEC_DAYS = [1, 7, 30, 90] as const

/** Body of `POST /api/v1/admin/sources/:id/posting-spec`. */
export const sharePostingSpecSchema = z.strictObject({
  days: z.literal(POSTING_SPEC_DAYS, { error: `Must be ${POSTING_SPEC_DAYS.join(', ')}` }).default(7),
})
/** Its answer: a page that anybody with the link can read until then. */
export const sharedPostingSpecSchema = z.object({ url: z.url(), expires_at: z.string() })

/** No link's token is longer. */
const token = z.string().max(200)
/** Query of `GET /api/v1/posting-spec`. */
export const postingSpecQuerySchema = z.object({ token })
/** Body of `POST /api/v1/posting-spec/test-lead`; the lead is judged like a source's. */
export const specTestSchema = z.strictObject({ token, lead: z.record(z.string(), z.unknown()) })

/** The type of a field's example. */
const exampleSchema = z.union([z.string(), z.number(), z.boolean(), z.record(z.string(), z.string())])

const FIELD_TYPES = ['text', 'number', 'whole number', 'true or false', 'object'] as const

/**
 * One field of a posted lead. `required`: `yes`; `name` or `contact` (one field of that group must be present); or `no`.
 */
export const postingFieldSchema = z.object({
  name: z.string(),
  says: z.string(),
  type: z.enum(FIELD_TYPES),
  required: z.enum(['yes', 'name', 'contact', 'no']),
  max_length: z.int().nullable(),
  /** the values that have a meaning for us; null if any value of the type may be sent */
  allowed: z.array(z.string()).nullable(),
  example: exampleSchema,
})
export type PostingField = z.infer<typeof postingFieldSchema>

/** A possible answer to a source, with an example of its body. */
export const postingAnswerSchema = z.object({
  status: z.int(),
  when: z.string(),
  body: z.record(z.string(), z.unknown()),
})
export type PostingAnswer = z.infer<typeof postingAnswerSchema>

/** Answer of `GET /api/v1/posting-spec`: how a source posts its leads. It contains no key. */
export const postingSpecSchema = z.object({
  source: z.string(),
  test_mode: z.boolean(),
  /** the end of the link */
  expires_at: z.string(),
  method: z.literal('POST'),
  url: z.url(),
  batch: z.object({ url: z.url(), most: z.int() }),
  headers: z.array(z.object({ name: z.string(), value: z.string() })),
  fields: z.array(postingFieldSchema),
  example: z.record(z.string(), exampleSchema),
  answers: z.array(postingAnswerSchema),
  leads_per_minute: z.int(),
})
export type PostingSpec = z.infer<typeof postingSpecSchema>
