import { z } from 'zod'
import { moneySchema } from './money/money.ts'
import { whenLeftOut } from '../when-left-out.ts'

/** Periods in whole days, today included, that can be chosen without dates. */
export const PERIODS = ['7', '30', '90'] as const
/** Limit of days in a period with dates. */
export const MOST_DAYS = 366

const DAY_MS = 86_400_000
/** One year before the last year of four digits: dates beyond do not sort as text. */
const date = z.iso
  .date('Must be a date like 2026-01-31')
  .refine((text) => text >= '2000', 'Is too long ago')
  .refine((text) => text < '9999', 'Is too far ahead')

/** `days` until today, or `from` and `to` (both included), in the account's zone. */
export const periodFields = {
  days: z.enum(PERIODS).default('30').transform(Number),
  from: date.optional(),
  to: date.optional(),
}
export const stateField = z.string().trim().toUpperCase().length(2).optional()

/** Refuses a period with only one date, and one with more than `mostDays` days. */
export function checkPeriod(mostDays: number) {
  return (
    { from, to }: { from?: string | undefined; to?: string | undefined },
    ctx: z.RefinementCtx,
  ): void => {
    if (from === undefined && to === undefined) return
    const wrong = (path: string, message: string) => ctx.addIssue({ code: 'custom', path: [path], message })
    if (from === undefined) return wrong('from', 'A period needs its first date too')
    if (to === undefined) return wrong('to', 'A period needs its last date too')
    const days = (Date.parse(to) - Date.parse(from)) / DAY_MS + 1
    if (days < 1) wrong('to', 'Must not be before the first date')
    if (days > mostDays) wrong('to', `A period has at most ${mostDays} days`)
  }
}

/** Query of `GET /api/v1/analytics`. */
export const analyticsQuerySchema = z
  .object({
    ...periodFields,
    order: z.uuid().optional(),
    state: stateField,
    lead_type: z
      .string()
      .trim()
      .regex(/^[a-z0-9][a-z0-9_-]{0,63}$/)
      .optional(),
    /** the source's label, as stored with leads */
    source: z.string().max(200).optional(),
  })
  .superRefine(checkPeriod(MOST_DAYS))
export type AnalyticsQuery = z.output<typeof analyticsQuerySchema>

const rate = z.number().min(0).max(1).nullable()

/**
 * The figures of the leads of a day, a state, …; `spend` is their price, `refunded` what came back for returned and for
 * late ones, `revenue` what CRMs reported for those at 'Sold'.
 */
const talliesSchema = z.object({
  leads: z.int(),
  spend: moneySchema,
  returned: z.int(),
  refunded: moneySchema,
  contacted: z.int(),
  sold: z.int(),
  revenue: whenLeftOut(moneySchema, '0.00'),
  /** revenue for each dollar of spend minus refunds; null if nothing was spent, or no revenue is known */
  return_on_spend: whenLeftOut(z.number().min(0).nullable(), null),
})
export type LeadTallies = z.infer<typeof talliesSchema>

const totalsSchema = talliesSchema.extend({
  average_price: moneySchema.nullable(),
  return_rate: rate,
  contact_rate: rate,
  sold_rate: rate,
  /** spend minus refunds, for each lead with a sale */
  cost_per_sale: moneySchema.nullable(),
  /** deliveries of these leads, waiting ones included, and those of them that were delivered */
  attempted: z.int(),
  delivered: z.int(),
  delivery_rate: rate,
})

/**
 * `GET /api/v1/analytics` (docs/product.md §2): the leads assigned to the caller that came in within the period; test
 * leads do not count. Rates are null if there is nothing to divide by.
 */
export const analyticsSchema = z.object({
  timezone: z.string(),
  from: z.iso.date(),
  to: z.iso.date(),
  /** the moments at which the first day begins and the last one ends */
  begins_at: z.iso.datetime(),
  ends_at: z.iso.datetime(),
  totals: totalsSchema,
  /**
   * as many days directly before; while the period is not over, until this time of their last day, so that both are
   * equally long. A server of an earlier version leaves it out
   */
  before: z.object({ from: z.iso.date(), to: z.iso.date(), totals: totalsSchema }).optional(),
  /** every day of the period, including days without leads */
  days: z.array(talliesSchema.extend({ date: z.iso.date(), begins_at: z.iso.datetime() })),
  states: z.array(talliesSchema.extend({ state: z.string().nullable() })),
  lead_types: whenLeftOut(z.array(talliesSchema.extend({ lead_type: z.string().nullable() })), []),
  /** by the label as stored with leads; null: without one */
  sources: whenLeftOut(z.array(talliesSchema.extend({ source: z.string().nullable() })), []),
  /** only of held leads; returned leads have none */
  dispositions: z.array(z.object({ disposition: z.string(), leads: z.int() })),
  /** 24 entries, by the wall clock of the zone */
  hours: z.array(talliesSchema.extend({ hour: z.int().min(0).max(23) })).length(24),
  /** the filters that this period offers */
  choices: z.object({
    orders: z.array(z.object({ id: z.uuid(), name: z.string() })),
    states: z.array(z.string()),
    lead_types: z.array(z.string()),
    sources: z.array(z.string()),
  }),
})
export type Analytics = z.infer<typeof analyticsSchema>
