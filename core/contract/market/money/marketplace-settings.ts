import { z } from 'zod'
import { accountIdSchema } from '../../accounts/account.ts'
import { reasonSchema } from '../../admin-note.ts'
import { trimText } from '../../trim-invisible.ts'
import { whenLeftOut } from '../../when-left-out.ts'
import { moneySchema } from './money.ts'

/** Texts that administrators set for the whole marketplace. An empty text means not set. */
export const TEXT_SETTINGS = ['seller_name', 'seller_address', 'bank_details'] as const
export type TextSetting = (typeof TEXT_SETTINGS)[number]

/** Rules of selling that administrators set. Null: the environment's value counts. */
export const RULE_SETTINGS = [
  'hold_hours',
  'duplicate_days',
  'resale_days',
  'late_credit_daily_dollars',
] as const
export type RuleSetting = (typeof RULE_SETTINGS)[number]

export type SettingName = TextSetting | RuleSetting

/** Least and most of each rule, as the environment's variables have them (core/config/variables.ts). */
const RULE_LIMITS: Readonly<Record<RuleSetting, readonly [least: number, most: number]>> = {
  hold_hours: [1, 720],
  duplicate_days: [0, 365],
  resale_days: [0, 365],
  late_credit_daily_dollars: [0, 100_000],
}

/** Dollars of late credits in a day while administrators have set nothing. */
export const USUAL_LATE_CREDITS = 500

const textOf = (most: number) =>
  z.string().overwrite(trimText).max(most, `Is too long (at most ${most} characters)`)

function ruleOf(name: RuleSetting) {
  const [least, most] = RULE_LIMITS[name]
  const error = `Must be a whole number from ${least} to ${most}, or empty`
  return z.int(error).min(least, error).max(most, error).nullable()
}

const rulesSchema = z.object({
  /** hours after its receipt for which an unsold lead is offered */
  hold_hours: z.int(),
  /** days after a sale in which a lead of the same person and type is a duplicate; 0: never */
  duplicate_days: z.int(),
  /** days after a sale in which the same client does not get the same person again; 0: never */
  resale_days: z.int(),
})
export type SaleRules = z.infer<typeof rulesSchema>

/** `GET /api/v1/admin/settings`. */
export const marketplaceSettingsSchema = z.object({
  /** printed on receipts and statements */
  seller_name: z.string(),
  seller_address: z.string(),
  /** where clients who request funds pay to */
  bank_details: z.string(),
  /** null: `usual` counts */
  hold_hours: whenLeftOut(z.int().nullable(), null),
  duplicate_days: whenLeftOut(z.int().nullable(), null),
  resale_days: whenLeftOut(z.int().nullable(), null),
  /** most dollars of late credits in a day of the administration; beyond it they wait for the next day */
  late_credit_daily_dollars: whenLeftOut(z.int().nullable(), null),
  /** what the environment says, which counts while nothing is set */
  usual: rulesSchema
    .extend({ late_credit_daily_dollars: whenLeftOut(z.int(), USUAL_LATE_CREDITS) })
    .optional(),
  /** what is read here, and set elsewhere */
  fixed: whenLeftOut(
    z.array(
      z.object({
        what: z.string(),
        value: z.string(),
        /** the variable of the environment, or the document, that says so */
        set_by: z.string(),
      }),
    ),
    [],
  ),
  /** the lowest price of each lead type, set under Prices */
  floors: whenLeftOut(
    z.array(z.object({ code: z.string(), label: z.string(), floor_price: moneySchema })),
    [],
  ),
  /** the last change; null without any */
  changed_at: z.iso.datetime().nullable(),
  changed_by: accountIdSchema.nullable(),
})
export type MarketplaceSettings = z.infer<typeof marketplaceSettingsSchema>

/** `PATCH /api/v1/admin/settings`: only the settings that it names are changed. */
export const settingsChangeSchema = z.strictObject({
  seller_name: textOf(120).optional(),
  seller_address: textOf(500).optional(),
  bank_details: textOf(1000).optional(),
  hold_hours: ruleOf('hold_hours').optional(),
  duplicate_days: ruleOf('duplicate_days').optional(),
  resale_days: ruleOf('resale_days').optional(),
  late_credit_daily_dollars: ruleOf('late_credit_daily_dollars').optional(),
  note: reasonSchema('Note is required'),
})
export type SettingsChange = z.infer<typeof settingsChangeSchema>
