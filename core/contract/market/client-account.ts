import { z } from 'zod'
import { accountIdSchema } from '../accounts/account.ts'
import { amountSchema, moneySchema } from './money/money.ts'
import { timeZoneSchema } from './time-zone.ts'
import { versionConflictSchema } from './version-conflict.ts'
import { trimText } from '../trim-invisible.ts'
import { whenLeftOut } from '../when-left-out.ts'

/** The mails that a client may choose: the first four and `exports` are on by default, the others off. */
export const noticesSchema = z.object({
  low_balance: z.boolean(),
  out_of_funds: z.boolean(),
  payments: z.boolean(),
  returns: z.boolean(),
  new_leads: z.boolean(),
  /** whether mails about new leads name the person, with phone and e-mail address */
  lead_contacts: z.boolean(),
  caps: z.boolean(),
  weekly_digest: z.boolean(),
  /** that a file is ready; it goes to the person who asked for the file */
  exports: z.boolean(),
})
export type AccountNotices = z.infer<typeof noticesSchema>

const time = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'Must be a time like 21:00')

/** Hours in which chosen mails wait, by the clock of the account's zone. They may last past midnight. */
export const quietHoursSchema = z
  .strictObject({ from: time, to: time })
  .refine(({ from, to }) => from !== to, { path: ['to'], message: 'Must differ from the beginning' })
export type QuietHours = z.infer<typeof quietHoursSchema>

/** `POST /api/v1/unsubscribe`: the token of a mail's link, which names the client and one kind of mail. */
export const unsubscribeQuerySchema = z.object({ token: z.string().min(1).max(200) })
export const unsubscribedSchema = z.object({ notice: noticesSchema.keyof() })

const { shape: notice } = noticesSchema

/** `GET /api/v1/account`. Null amounts of the auto-recharge have not been chosen yet. */
export const clientAccountSchema = z.object({
  user_id: accountIdSchema,
  /** the administrators' decision: only an active account gets leads of the marketplace */
  status: z.enum(['onboarding', 'active', 'closed']),
  business_name: z.string().nullable(),
  phone: z.string().nullable(),
  timezone: z.string(),
  npn: z.string().nullable(),
  licensed_states: z.array(z.string()),
  low_balance_threshold: moneySchema,
  auto_recharge_enabled: z.boolean(),
  auto_recharge_threshold: moneySchema.nullable(),
  auto_recharge_amount: moneySchema.nullable(),
  auto_recharge_monthly_max: moneySchema.nullable(),
  /** when the client agreed to the present charges */
  auto_recharge_agreed_at: z.iso.datetime().nullable(),
  /**
   * the agreement, word for word. The text beside the switch may have changed since; using the switch agrees to the new
   * text
   */
  auto_recharge_terms: z.string().nullable(),
  /** why it was switched off, if the client did not do it */
  auto_recharge_stopped: z.string().nullable(),
  /** the payment method that is stored for it: "Visa ending in 4242" */
  saved_method: z.string().nullable(),
  notices: noticesSchema.extend({
    new_leads: whenLeftOut(notice.new_leads, false),
    lead_contacts: whenLeftOut(notice.lead_contacts, false),
    caps: whenLeftOut(notice.caps, false),
    weekly_digest: whenLeftOut(notice.weekly_digest, false),
    exports: whenLeftOut(notice.exports, true),
  }),
  quiet_hours: whenLeftOut(quietHoursSchema.nullable(), null),
  version: z.int(),
  created_at: z.iso.datetime(),
  updated_at: z.iso.datetime(),
})
export type ClientAccount = z.infer<typeof clientAccountSchema>

const text = (most: number, what: string) =>
  z
    .string()
    .overwrite(trimText)
    .max(most, `${what} is too long (at most ${most} characters)`)
    .transform((given) => (given === '' ? null : given))
    .nullable()

const HIGHEST = 1_000_000

/** `PATCH /api/v1/account`: omitted fields keep their value. An empty text is null. */
export const clientAccountChangeSchema = z.strictObject({
  /** the version of the row that was changed */
  version: z.int({ error: 'Send the version of the account that you changed' }),
  business_name: text(120, 'Business name').optional(),
  phone: text(32, 'Phone').optional(),
  timezone: timeZoneSchema.optional(),
  npn: text(10, 'NPN')
    .refine((npn) => npn === null || /^\d+$/.test(npn), 'NPN has up to ten digits')
    .optional(),
  licensed_states: z.array(z.string().trim().max(32)).max(100).optional(),
  low_balance_threshold: amountSchema(0, HIGHEST).optional(),
  auto_recharge_enabled: z.boolean().optional(),
  auto_recharge_threshold: amountSchema(20, HIGHEST).nullable().optional(),
  auto_recharge_amount: amountSchema(50, 10_000).nullable().optional(),
  auto_recharge_monthly_max: amountSchema(50, HIGHEST).nullable().optional(),
  notices: z.strictObject(noticesSchema.partial().shape).optional(),
  quiet_hours: quietHoursSchema.nullable().optional(),
})
export type ClientAccountChange = z.infer<typeof clientAccountChangeSchema>

export const clientAccountConflictSchema = versionConflictSchema(clientAccountSchema)
