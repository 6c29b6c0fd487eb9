import { z } from 'zod'
import { trimCode, trimText } from '../trim-invisible.ts'
import { DISPOSITIONS } from './lead.ts'
import { roundToCents } from './round-to-cents.ts'

/** The outcomes that a CRM reports (docs/product.md §4). Each but `duplicate` sets a disposition of the lead. */
export const OUTCOMES = [
  'attempted',
  'contacted',
  'follow_up',
  'appointment',
  'quoted',
  'sold',
  'not_interested',
  'bad_phone',
  'wrong_person',
  'do_not_contact',
  'duplicate',
] as const
export const outcomeSchema = z.enum(OUTCOMES)
export type Outcome = z.infer<typeof outcomeSchema>

const UNKNOWN_OUTCOME = `Must be one of ${OUTCOMES.join(', ')}`
/** Dollars. A phone number that an automation puts here is above it, and the sum of very many stays exact. */
const LARGEST_AMOUNT = 99_999_999.99
const LONGEST_NOTE = 1000

/** Case, spaces and hyphens do not matter: CRMs write `Follow-up` and `Follow Up`. */
const status = z
  .string({ error: UNKNOWN_OUTCOME })
  .transform((text) => {
    const name = trimCode(text)
      .toLowerCase()
      .replaceAll(/[\s-]+/g, '_')
    return name === 'bad_number' ? 'bad_phone' : name
  })
  .pipe(z.enum(OUTCOMES, { error: UNKNOWN_OUTCOME }))

const AMOUNT = 'Must be an amount of dollars, like 1200 or 1200.50, below 100,000,000'
/** A number, or its text: `1200`, `1,200.00`, `$1,200`. An empty text counts as none. */
const amount = z
  .union([z.number(), z.string()], { error: AMOUNT })
  .nullish()
  .transform((given, ctx) => {
    const written = typeof given === 'string' ? trimCode(given).replace(/^\$\s*/, '') : given
    if (written === undefined || written === null || written === '') return null
    const isDollars = typeof written === 'number' || /^(\d+|\d{1,3}(,\d{3})+)(\.\d+)?$/.test(written)
    const dollars = isDollars ? roundToCents(String(written).replaceAll(',', '')) : NaN
    if (dollars >= 0 && dollars <= LARGEST_AMOUNT) return dollars
    ctx.addIssue({ code: 'custom', message: AMOUNT })
    return z.NEVER
  })

const note = z
  .string()
  .overwrite(trimText)
  .max(LONGEST_NOTE, 'A note is too long (at most 1,000 characters)')
  .nullish()
  .transform((text) => (text === undefined || text === '' ? null : text))

/**
 * Body of `POST /api/v1/outcomes`, as JSON or a form. Other fields are ignored, because automations add their own.
 * `outcome_url` is the address itself, for automations that can post only to a fixed one.
 */
export const outcomeReportSchema = z.object({
  status,
  amount,
  note,
  outcome_url: z.string().optional(),
})
export type OutcomeReport = z.infer<typeof outcomeReportSchema>

/**
 * Answer of `POST /api/v1/outcomes`. `recorded`: false if it repeats the last outcome that this webhook reported for the
 * lead, or if the address is the sample of previews and tests. `return`: the return that the outcome asked for; null if
 * it asks for none.
 */
export const outcomeReceiptSchema = z.object({
  outcome: outcomeSchema,
  recorded: z.boolean(),
  disposition: z.enum(DISPOSITIONS).nullable(),
  return: z.object({ requested: z.boolean(), refusal: z.string().nullable() }).nullable(),
})
export type OutcomeReceipt = z.infer<typeof outcomeReceiptSchema>

/** An outcome on the page of its lead. `amount` is dollars; `webhook_name` is null if the webhook was deleted. */
export const leadOutcomeSchema = z.object({
  id: z.uuid(),
  outcome: z.string(),
  amount: z.number().nullable(),
  note: z.string().nullable(),
  webhook_name: z.string().nullable(),
  created_at: z.string(),
})
export type LeadOutcome = z.infer<typeof leadOutcomeSchema>
