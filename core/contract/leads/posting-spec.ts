import { z } from 'zod'

/** Days that a link to a posting specification may be good for. */
export const POSTING_SPEC_DAYS = [1, 7, 30, 90] as const

/** Body of `POST /api/v1/admin/sources/:id/posting-spec`. */
export const sharePostingSpecSchema = z.strictObject({
  days: z.literal(POSTING_SPEC_DAYS, { error: `Must be ${POSTING_SPEC_DAYS.join(', ')}` }).default(7),
})
/** Its answer: a page for whoever has the link, until then. */
export const sharedPostingSpecSchema = z.object({ url: z.url(), expires_at: z.string() })

/** No link is longer. */
const token = z.string().max(200)
/** Query of `GET /api/v1/posting-spec`. */
export const postingSpecQuerySchema = z.object({ token })
/** Body of `POST /api/v1/posting-spec/test-lead`; the lead is judged as a source's is. */
export const specTestSchema = z.strictObject({ token, lead: z.record(z.string(), z.unknown()) })

/** What a field may hold in an example. */
const exampleSchema = z.union([z.string(), z.number(), z.boolean(), z.record(z.string(), z.string())])

const FIELD_TYPES = ['text', 'number', 'whole number', 'true or false', 'object'] as const

/** One field of a posted lead. `required`: `yes`, or one of the name's or the contact's fields must be there. */
export const postingFieldSchema = z.object({
  name: z.string(),
  says: z.string(),
  type: z.enum(FIELD_TYPES),
  required: z.enum(['yes', 'name', 'contact', 'no']),
  max_length: z.int().nullable(),
  /** the values that say something to us; null where anything of the type may stand */
  allowed: z.array(z.string()).nullable(),
  example: exampleSchema,
})
export type PostingField = z.infer<typeof postingFieldSchema>

/** What a source may be answered, with an example of its body. */
export const postingAnswerSchema = z.object({
  status: z.int(),
  when: z.string(),
  body: z.record(z.string(), z.unknown()),
})
export type PostingAnswer = z.infer<typeof postingAnswerSchema>

/** Answer of `GET /api/v1/posting-spec`: how a source posts its leads. No key is in it. */
export const postingSpecSchema = z.object({
  source: z.string(),
  test_mode: z.boolean(),
  /** of the link */
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
