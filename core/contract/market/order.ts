import { z } from 'zod'
import { accountIdSchema } from '../accounts/account.ts'
import { momentSchema } from '../moment.ts'
import { amountSchema, moneySchema } from './money/money.ts'
import { orderScheduleSchema, timeZoneSchema } from './order-schedule.ts'
import { scheduleSchema } from './schedule.ts'
import { versionConflictSchema } from './version-conflict.ts'
import { trimText } from '../trim-invisible.ts'
import { whenLeftOut } from '../when-left-out.ts'

/**
 * docs/product.md §9: limits of a client's orders: how many exist, how many are created within a few days, and what one
 * order may ask for.
 */
export const MOST_ORDERS = 50
export const MOST_NEW_ORDERS = 200
export const NEW_ORDERS_DAYS = 2
export const HIGHEST_CAP = 100_000
const HIGHEST_BUDGET = 1_000_000
/** Minutes: 30 days, the longest time for which leads can be held. */
export const HIGHEST_LEAD_AGE = 43_200
export const MOST_ZIP_CODES = 500
export const MOST_MILES = 500

const capSchema = z
  .int({ error: 'Must be a whole number' })
  .min(1, 'Must be at least 1')
  .max(HIGHEST_CAP, `Must be at most ${HIGHEST_CAP.toLocaleString('en-US')}`)
  .nullable()
const budgetSchema = amountSchema(0.01, HIGHEST_BUDGET).nullable()
const ageSchema = z
  .int({ error: 'Must be a whole number' })
  .min(0, 'Must be from 0 to 120')
  .max(120, 'Must be from 0 to 120')
  .nullable()
const leadAgeSchema = z
  .int({ error: 'Must be a whole number of minutes' })
  .min(1, 'Must be at least 1 minute')
  .max(HIGHEST_LEAD_AGE, `Must be at most ${HIGHEST_LEAD_AGE.toLocaleString('en-US')} minutes (30 days)`)
  .nullable()
/** ZIP codes or their first three or four digits, in order, each once. */
const zipCodesSchema = z
  .array(
    z
      .string({ error: 'Must be a ZIP code of five digits, or its first three or four' })
      .trim()
      .regex(/^\d{3,5}$/, 'Must be a ZIP code of five digits, or its first three or four'),
    { error: 'Must be a list of ZIP codes' },
  )
  .max(MOST_ZIP_CODES, `Too many ZIP codes (at most ${MOST_ZIP_CODES})`)
  .transform((codes) => [...new Set(codes)].toSorted())
const nearZipSchema = z
  .string({ error: 'Must be a ZIP code of five digits' })
  .trim()
  .regex(/^\d{5}$/, 'Must be a ZIP code of five digits')
  .nullable()
const nearMilesSchema = z
  .int({ error: 'Must be a whole number of miles' })
  .min(1, `Must be from 1 to ${MOST_MILES} miles`)
  .max(MOST_MILES, `Must be from 1 to ${MOST_MILES} miles`)
  .nullable()
const whenSchema = momentSchema('Must be a moment like 2026-12-01T09:00:00Z')
  .transform((moment) => moment.toISOString())
  .nullable()
/** Codes in order, each once; an empty list means all states. */
const statesSchema = z
  .array(
    z
      .string({ error: 'Must be a state’s code, like CA' })
      .trim()
      .toUpperCase()
      .regex(/^[A-Z]{2}$/, 'Must be a state’s code, like CA'),
    { error: 'Must be a list of states' },
  )
  .max(100, 'Too many states')
  .transform((codes) => [...new Set(codes)].toSorted())

/**
 * A client's wish: which leads it wants to buy, and how fast. core/domain/market/orders/check-order.ts checks which states
 * exist and may be bought.
 */
const terms = {
  name: z
    .string({ error: 'Name is required' })
    .overwrite(trimText)
    .min(1, 'Name is required')
    .max(80, 'Name is too long (at most 80 characters)'),
  lead_type: z
    .string({ error: 'Lead type is required' })
    .trim()
    .min(1, 'Lead type is required')
    .max(64, 'No such lead type'),
  states: statesSchema,
  age_min: ageSchema,
  age_max: ageSchema,
  accept_unknown_age: z.boolean(),
  excluded_sources: z.array(z.uuid('Must be the id of a source')).max(100, 'Too many sources'),
  max_lead_age_minutes: leadAgeSchema,
  zip_codes: zipCodesSchema,
  near_zip: nearZipSchema,
  near_miles: nearMilesSchema,
  daily_cap: capSchema,
  weekly_cap: capSchema,
  monthly_cap: capSchema,
  total_cap: capSchema,
  daily_budget: budgetSchema,
  monthly_budget: budgetSchema,
  schedule: orderScheduleSchema.nullable(),
  timezone: timeZoneSchema,
  starts_at: whenSchema,
  ends_at: whenSchema,
  when_undelivered: z.enum(['keep', 'return', 'reoffer'], { error: 'Must be keep, return or reoffer' }),
}
/** The person of the account for whom it buys; null: shared. */
const memberSchema = z.uuid('Must be the id of a person').nullable()
export const orderTermsSchema = z.object(terms)
export type OrderTerms = z.infer<typeof orderTermsSchema>

/**
 * Body of `POST /api/v1/orders`. An order begins paused by its client unless `active` says otherwise, and has the
 * account's time zone if it names none.
 */
export const newOrderSchema = z.strictObject({
  ...terms,
  timezone: terms.timezone.optional(),
  states: terms.states.default([]),
  age_min: terms.age_min.default(null),
  age_max: terms.age_max.default(null),
  accept_unknown_age: terms.accept_unknown_age.default(true),
  excluded_sources: terms.excluded_sources.default([]),
  max_lead_age_minutes: terms.max_lead_age_minutes.default(null),
  zip_codes: terms.zip_codes.default([]),
  near_zip: terms.near_zip.default(null),
  near_miles: terms.near_miles.default(null),
  daily_cap: terms.daily_cap.default(null),
  weekly_cap: terms.weekly_cap.default(null),
  monthly_cap: terms.monthly_cap.default(null),
  total_cap: terms.total_cap.default(null),
  daily_budget: terms.daily_budget.default(null),
  monthly_budget: terms.monthly_budget.default(null),
  schedule: terms.schedule.default(null),
  starts_at: terms.starts_at.default(null),
  ends_at: terms.ends_at.default(null),
  when_undelivered: terms.when_undelivered.default('keep'),
  member_user_id: memberSchema.default(null),
  active: z.boolean().default(false),
})
export type NewOrder = z.infer<typeof newOrderSchema>

/** Body of `PATCH /api/v1/orders/:id`: the version that was read, and any subset; absent fields keep their value. */
export const orderChangeSchema = z.strictObject({
  ...orderTermsSchema.partial().shape,
  member_user_id: memberSchema.optional(),
  version: z.int({ error: 'The version that was read is required' }),
})
export type OrderChange = z.infer<typeof orderChangeSchema>

/**
 * The present activity of an order (core/domain/market/orders/describe-order.ts): `until` is when that changes by itself, null
 * if it does not.
 */
export const orderStateSchema = z.object({
  code: z.enum(['active', 'paused', 'scheduled', 'capped', 'out_of_funds', 'ended', 'account']),
  sentence: z.string(),
  until: z.string().nullable(),
})
export type OrderState = z.infer<typeof orderStateSchema>

/**
 * An order as the API returns it. A lead costs `price` now, and up to `highest_price` if states have prices of their
 * own. The tallies are for the present day, week and month in the order's zone; returned leads count.
 */
export const orderSchema = z.object({
  id: z.uuid(),
  client_user_id: accountIdSchema,
  name: z.string(),
  lead_type: z.string(),
  lead_type_label: z.string(),
  states: z.array(z.string()),
  age_min: z.int().nullable(),
  age_max: z.int().nullable(),
  accept_unknown_age: z.boolean(),
  excluded_sources: z.array(z.string()),
  max_lead_age_minutes: whenLeftOut(z.int().nullable(), null),
  zip_codes: whenLeftOut(z.array(z.string()), []),
  near_zip: whenLeftOut(z.string().nullable(), null),
  near_miles: whenLeftOut(z.int().nullable(), null),
  daily_cap: z.int().nullable(),
  weekly_cap: z.int().nullable(),
  monthly_cap: z.int().nullable(),
  total_cap: z.int().nullable(),
  daily_budget: moneySchema.nullable(),
  monthly_budget: moneySchema.nullable(),
  schedule: scheduleSchema.nullable(),
  timezone: z.string(),
  starts_at: z.string().nullable(),
  ends_at: z.string().nullable(),
  when_undelivered: terms.when_undelivered,
  member_user_id: whenLeftOut(memberSchema, null),
  price: moneySchema,
  highest_price: moneySchema,
  paused_by: z.enum(['client', 'admin', 'system']).nullable(),
  paused_by_client: z.boolean(),
  pause_reason: z.string().nullable(),
  state: orderStateSchema,
  tallies: z.object({
    today: z.object({ leads: z.int(), spent: moneySchema }),
    week: z.object({ leads: z.int() }),
    month: z.object({ leads: z.int(), spent: moneySchema }),
    total: z.object({ leads: z.int() }),
    last_assigned_at: z.string().nullable(),
  }),
  version: z.int(),
  created_at: z.string(),
  updated_at: z.string(),
})
export type Order = z.infer<typeof orderSchema>

/** The 409 `version_conflict`: for each conflicting field, the wanted value and the present one. */
export const orderConflictSchema = versionConflictSchema(orderSchema).extend({
  theirs: z.record(z.string(), z.unknown()),
})
export type OrderConflict = z.infer<typeof orderConflictSchema>

/**
 * Body and answer of `POST /api/v1/orders/estimate`; `more` if counting stopped. A lead costs `price`, and up to
 * `highest_price` if the states have prices of their own.
 */
export const orderEstimateRequestSchema = newOrderSchema.pick({
  lead_type: true,
  states: true,
  age_min: true,
  age_max: true,
  accept_unknown_age: true,
  excluded_sources: true,
  zip_codes: true,
  near_zip: true,
  near_miles: true,
})
export const orderEstimateSchema = z.object({
  leads: z.int(),
  more: z.boolean(),
  days: z.int(),
  /** a server of an earlier version leaves out both prices */
  price: moneySchema.optional(),
  highest_price: moneySchema.optional(),
})
export type OrderEstimateRequest = z.infer<typeof orderEstimateRequestSchema>
export type OrderEstimate = z.infer<typeof orderEstimateSchema>

/** `GET /api/v1/orders/checklist`: why leads come or do not; `fix` is the screen on which a line can be fixed. */
export const orderChecklistSchema = z.object({
  data: z.array(
    z.object({
      code: z.enum([
        'account_active',
        'order_active',
        'in_date_range',
        'schedule_open',
        'state_selected',
        'under_caps',
        'funded',
        'lead_age',
        'delivery_method',
        'last_delivery',
      ]),
      ok: z.boolean(),
      sentence: z.string(),
      fix: z.string(),
    }),
  ),
})
export type OrderChecklist = z.infer<typeof orderChecklistSchema>

/** `GET /api/v1/lead-types`, with the price for this client in states without a price of their own. */
export const leadTypeForClientSchema = z.object({ code: z.string(), label: z.string(), price: moneySchema })
export const leadTypesForClientSchema = z.object({ data: z.array(leadTypeForClientSchema) })
export type LeadTypeForClient = z.infer<typeof leadTypeForClientSchema>
