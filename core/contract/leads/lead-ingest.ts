import { z } from 'zod'
import { fieldErrorSchema, problemSchema } from '../problem.ts'
import { isTrustedFormCertificate } from './consent-certificate.ts'
import { roundToCents } from './round-to-cents.ts'

/** Names of people, streets and the like; longer is a mistake of the sender, never cut short silently. */
const SHORT = 200
const LONG = 5000
const URL_LENGTH = 2048

/** One batch of `POST /api/v1/leads/batch` (docs/contract.md §4). */
export const BATCH_LIMIT = 1000
export const CUSTOM_LIMITS = { keys: 30, bytes: 4096 } as const

const isBlank = (value: unknown): boolean =>
  value === null || value === undefined || (typeof value === 'string' && value.trim() === '')

// JSON.parse rounds integers beyond 2^53 and makes Infinity of what no double holds: two long ids would become one.
const isExactNumber = (value: unknown): value is number =>
  Number.isFinite(value) && (!Number.isInteger(value) || Number.isSafeInteger(value))

/** Text of a form or a JSON value; a number counts as its digits, if all of them survived JSON. Blank is absent. */
const text = (longest: number) =>
  z
    .preprocess(
      (value) => (isBlank(value) ? undefined : isExactNumber(value) ? String(value) : value),
      z
        .string({
          error: ({ input }) =>
            typeof input === 'number'
              ? 'Must be text in quotes: a number this large loses digits'
              : 'Must be text',
        })
        .trim()
        .max(longest, `Is too long (at most ${longest.toLocaleString('en-US')} characters)`)
        .optional(),
    )
    .optional()

const TRUE = ['true', '1', 'yes', 'y', 'on']
const FALSE = ['false', '0', 'no', 'n', 'off']
const flag = z
  .preprocess(
    (value) => {
      if (isBlank(value)) return undefined
      const word =
        typeof value === 'string' || typeof value === 'number' ? String(value).trim().toLowerCase() : value
      if (typeof word !== 'string') return word
      return TRUE.includes(word) ? true : FALSE.includes(word) ? false : word
    },
    z.boolean({ error: 'Must be true or false' }).optional(),
  )
  .optional()

const number = (rule: z.ZodNumber) =>
  z
    .preprocess((value) => {
      if (isBlank(value)) return undefined
      if (typeof value !== 'string') return value
      const digits = value
        .trim()
        .replace(/^\$\s*/, '')
        .replaceAll(/,(?=\d{3}(\D|$))/g, '')
      return /^-?\d+(\.\d+)?$/.test(digits) ? Number(digits) : value
    }, rule.optional())
    .optional()

/** Judged as it is stored: rounded to cents, an amount just below the limit reaches it. */
const amount = (below: number) =>
  number(
    z
      .number({ error: 'Must be an amount' })
      .min(0, 'Must not be negative')
      .overwrite(roundToCents)
      .refine((value) => value < below, 'Is too large'),
  )

const webAddress = text(URL_LENGTH).refine(
  (value) => value === undefined || /^https?:\/\/[^\s]+$/i.test(value),
  'Must be a web address that begins with https:// or http://',
)

/**
 * One lead as a source posts it, before normalisation (core/domain/leads/normalise-lead.ts): flat names, in JSON or a form. In a
 * form, `custom.<key>` and `utm_<key>` stand for members of `custom` and `utm`.
 */
export const leadIngestSchema = z.object({
  external_id: text(SHORT),
  lead_type: text(64),
  name: text(SHORT),
  first_name: text(SHORT),
  last_name: text(SHORT),
  email: text(1000),
  phone: text(64),
  alt_phone: text(64),
  address1: text(SHORT),
  address2: text(SHORT),
  city: text(SHORT),
  county: text(SHORT),
  state: text(64),
  zip: text(16),
  country: text(64),
  timezone: text(64),
  date_of_birth: text(32),
  age: number(
    z
      .number({ error: 'Must be a whole number' })
      .int('Must be a whole number')
      .min(0, 'Must not be negative')
      .max(130, 'Must be at most 130'),
  ),
  gender: text(64),
  tobacco: flag,
  coverage_amount: amount(1e12),
  beneficiary_name: text(SHORT),
  best_time_to_call: text(SHORT),
  language: text(35),
  comments: text(LONG),
  deal_size: amount(1e10),
  consent_given: flag,
  consent_text: text(LONG),
  consent_at: text(40),
  consent_url: webAddress,
  consent_ip: text(45).refine(
    (value) => value === undefined || z.union([z.ipv4(), z.ipv6()]).safeParse(value).success,
    'Must be an IP address',
  ),
  consent_user_agent: text(1000),
  trustedform_cert_url: text(URL_LENGTH).refine(
    (value) => value === undefined || isTrustedFormCertificate(value),
    'Must be a TrustedForm certificate: https://cert.trustedform.com/ and 40 characters of 0-9 and a-f',
  ),
  trustedform_expires_at: text(40),
  jornaya_leadid: text(64).refine(
    (value) => value === undefined || z.guid().safeParse(value).success,
    'Must be a LeadiD token (a UUID)',
  ),
  source: text(SHORT),
  campaign: text(SHORT),
  sub_id: text(SHORT),
  landing_page_url: webAddress,
  cost: amount(1e8),
  is_test: flag,
  utm: z.unknown().optional(),
  custom: z.unknown().optional(),
})
export type LeadIngest = z.infer<typeof leadIngestSchema>

/** The fields that have a column; any other flat field of a body joins `custom`. */
export const INGEST_FIELDS: ReadonlySet<string> = new Set(Object.keys(leadIngestSchema.shape))

/** What one posted lead gets (docs/contract.md §4), alone or as an item of a batch. */
const storedReceiptSchema = z.object({
  lead_id: z.uuid(),
  /** only of a test, which nobody pays for and the market never sees; of a duplicate, whether the lead that is there is one */
  is_test: z.literal(true).optional(),
})
export const acceptedReceiptSchema = storedReceiptSchema.extend({ result: z.literal('accepted') })
export const duplicateReceiptSchema = storedReceiptSchema.extend({ result: z.literal('duplicate') })
export const leadReceiptSchema = z.discriminatedUnion('result', [
  acceptedReceiptSchema,
  duplicateReceiptSchema,
  z.object({ result: z.literal('rejected'), errors: z.array(fieldErrorSchema) }),
])
export type LeadReceipt = z.infer<typeof leadReceiptSchema>

export const batchReceiptSchema = z.object({ results: z.array(leadReceiptSchema) })

/** The 422 of `POST /api/v1/leads`: a problem that to a source is its receipt, too (RFC 9457 allows further members). */
export const rejectedLeadSchema = z.union([
  problemSchema.extend({ result: z.literal('rejected') }),
  problemSchema,
])

/** Body of `POST /api/v1/leads` with a client's access token: the person of the test lead; the rest is fixed (docs/product.md §9). */
export const testLeadSchema = z.object({
  name: text(SHORT),
  first_name: text(SHORT),
  last_name: text(SHORT),
  email: text(1000),
  phone: text(64),
  city: text(SHORT),
})
export type TestLead = z.infer<typeof testLeadSchema>
