import { z } from 'zod'
import { fieldErrorSchema, problemSchema } from '../problem.ts'
import { isTrustedFormCertificate } from './consent-certificate.ts'
import { addScheme } from './add-scheme.ts'
import { LEAD_FIELDS, LEAD_FIELD_NAMES, type FieldKind, type LeadField } from './lead-fields.ts'
import { roundToCents } from './round-to-cents.ts'
import { trimCode, trimText } from '../trim-invisible.ts'
import { isNumber, writeNumber } from '../written-number.ts'

const URL_LENGTH = 2048

/** One batch of `POST /api/v1/leads/batch` (docs/contract.md §4). */
export const BATCH_LIMIT = 1000
/** Limits of the fields without a column, for `custom` and `utm` together. */
export const CUSTOM_LIMITS = { keys: 100, bytes: 65_536 } as const

/**
 * Text without invisible characters at its edges; a number becomes its digits as they are written. Blank values count
 * as absent.
 */
const trimmed = (trim: (text: string) => string) => (value: unknown) => {
  const given = isNumber(value) ? writeNumber(value) : value
  const said = typeof given === 'string' ? trim(given) : given
  return said === '' || said === null ? undefined : said
}

const textTrimmedBy = (trim: (text: string) => string) => (longest: number) =>
  z
    .preprocess(
      trimmed(trim),
      z
        .string('Must be text')
        .max(longest, `Is too long (at most ${longest.toLocaleString('en-US')} characters)`)
        .optional(),
    )
    .optional()
/** Text for people. */
const text = textTrimmedBy(trimText)
/** Text for programs: a code, an id, an address. */
const code = textTrimmedBy(trimCode)
/** A whole number as a program may write it: `2.025550143E9` becomes its digits. */
const numeral = (longest: number) =>
  z
    .preprocess((value) => {
      const written = isNumber(value) ? writeNumber(value) : ''
      const isWhole = /e/i.test(written) && Number.isSafeInteger(Number(written))
      return isWhole ? String(Number(written)) : value
    }, code(longest))
    .optional()

const TRUE = ['true', '1', 'yes', 'y', 'on']
const FALSE = ['false', '0', 'no', 'n', 'off']
const flag = z
  .preprocess(
    (value) => {
      const said = trimmed(trimCode)(isNumber(value) ? Number(writeNumber(value)) : value)
      if (typeof said !== 'string') return said
      const word = said.toLowerCase()
      return TRUE.includes(word) ? true : FALSE.includes(word) ? false : word
    },
    z.boolean({ error: 'Must be true or false' }).optional(),
  )
  .optional()

/** Commas must separate thousands; otherwise the amount is ambiguous. */
const DIGITS = /^-?(?:\d+|[1-9]\d{0,2}(?:,\d{3})+)(?:\.\d+)?$/

const number = (rule: z.ZodNumber, read: (digits: string) => number = Number) =>
  z
    .preprocess((value) => {
      if (isNumber(value)) return read(writeNumber(value))
      const said = trimmed(trimCode)(value)
      if (typeof said !== 'string') return said
      const digits = said.replace(/^\$\s*/, '')
      return DIGITS.test(digits) ? read(digits.replaceAll(',', '')) : said
    }, rule.optional())
    .optional()

/**
 * Checked as it is stored: rounding to cents can bring an amount just below the limit up to it. Negative amounts stay
 * negative.
 */
const amount = (below: number) =>
  number(
    z
      .number({ error: 'Must be an amount' })
      .min(0, 'Must not be negative')
      .refine((value) => value < below, 'Is too large'),
    (digits) => (digits.startsWith('-') ? Number(digits) : roundToCents(digits)),
  )

const address = textTrimmedBy((given) => addScheme(trimCode(given)))(URL_LENGTH)
const webAddress = address.refine(
  (value) => value === undefined || /^https?:\/\/[^\s]+$/i.test(value),
  'Must be a web address that begins with https:// or http://',
)

/**
 * The values that a source may post in a field of each kind. `most` is the limit of a field whose kind has none of its
 * own.
 */
const POSTED = {
  text,
  code,
  digits: numeral,
  phone: numeral,
  web_address: () => webAddress,
  ip: () =>
    code(45).refine(
      (value) => value === undefined || z.union([z.ipv4(), z.ipv6()]).safeParse(value).success,
      'Must be an IP address',
    ),
  whole: (most: number) =>
    number(
      z
        .number({ error: 'Must be a whole number' })
        .int('Must be a whole number')
        .min(0, 'Must not be negative')
        .max(most, `Must be at most ${most}`),
    ),
  amount,
  yes_no: () => flag,
  date: () => code(40),
  moment: () => code(40),
} satisfies Record<FieldKind, (most: number) => z.ZodType>

const FIELDS = Object.fromEntries(
  LEAD_FIELD_NAMES.map((name) => {
    const row = LEAD_FIELDS[name]
    return [name, POSTED[row.kind]('most' in row ? row.most : Number.POSITIVE_INFINITY)]
  }),
) as { [Name in LeadField]: ReturnType<(typeof POSTED)[(typeof LEAD_FIELDS)[Name]['kind']]> }

/**
 * One lead as a source posts it, before normalisation (core/domain/leads/normalise-lead.ts): flat names, in JSON or a
 * form. In a form, `custom.<key>` and `utm_<key>` stand for members of `custom` and `utm`.
 */
export const leadIngestSchema = z.object({
  ...FIELDS,
  trustedform_cert_url: address.refine(
    (value) => value === undefined || isTrustedFormCertificate(value),
    'Must be a TrustedForm certificate: https://cert.trustedform.com/ and 40 characters of 0-9 and a-f',
  ),
  jornaya_leadid: FIELDS.jornaya_leadid.refine(
    (value) => value === undefined || z.guid().safeParse(value).success,
    'Must be a LeadiD token (a UUID)',
  ),
  // These are read beforehand (core/use-cases/ingest/read-lead.ts).
  utm: z.unknown().optional(),
  custom: z.unknown().optional(),
})
export type LeadIngest = z.infer<typeof leadIngestSchema>

/** The fields that have a column; any other flat field of a body goes into `custom`. */
export const INGEST_FIELDS: ReadonlySet<string> = new Set(Object.keys(leadIngestSchema.shape))

/** The receipt of one posted lead (docs/contract.md §4), alone or as an item of a batch. */
const storedReceiptSchema = z.object({
  lead_id: z.uuid(),
  /**
   * only for a test lead, which nobody pays for and the market never gets; for a duplicate, whether the earlier lead is
   * a test
   */
  is_test: z.literal(true).optional(),
})
export const acceptedReceiptSchema = storedReceiptSchema.extend({
  result: z.literal('accepted'),
  /** fields that could not be stored, each with the reason; absent if there are none */
  warnings: z.array(fieldErrorSchema).optional(),
})
export const duplicateReceiptSchema = storedReceiptSchema.extend({ result: z.literal('duplicate') })
export const leadReceiptSchema = z.discriminatedUnion('result', [
  acceptedReceiptSchema,
  duplicateReceiptSchema,
  z.object({ result: z.literal('rejected'), errors: z.array(fieldErrorSchema) }),
])
export type LeadReceipt = z.infer<typeof leadReceiptSchema>

export const batchReceiptSchema = z.object({ results: z.array(leadReceiptSchema) })

/**
 * The 422 of `POST /api/v1/leads`: a problem that also serves a source as its receipt (RFC 9457 allows further
 * members).
 */
export const rejectedLeadSchema = z.union([
  problemSchema.extend({ result: z.literal('rejected') }),
  problemSchema,
])

/**
 * Body of `POST /api/v1/leads` with a client's access token: the person of the test lead; the rest is fixed
 * (docs/product.md §9).
 */
export const testLeadSchema = z.object({
  name: FIELDS.name,
  first_name: FIELDS.first_name,
  last_name: FIELDS.last_name,
  email: FIELDS.email,
  phone: code(LEAD_FIELDS.phone.most),
  city: FIELDS.city,
})
export type TestLead = z.infer<typeof testLeadSchema>
