import { z } from 'zod'
import { accountIdSchema } from '../../accounts/account.ts'
import { reasonSchema } from '../../admin-note.ts'
import { trimText } from '../../trim-invisible.ts'

/** The settings that administrators make for the whole marketplace. An empty text means not set. */
export const SETTINGS = ['seller_name', 'seller_address', 'bank_details'] as const
export type SettingName = (typeof SETTINGS)[number]

const textOf = (most: number) =>
  z.string().overwrite(trimText).max(most, `Is too long (at most ${most} characters)`)

/** `GET /api/v1/admin/settings`. */
export const marketplaceSettingsSchema = z.object({
  /** printed on receipts and statements */
  seller_name: z.string(),
  seller_address: z.string(),
  /** where clients who request funds pay to */
  bank_details: z.string(),
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
  note: reasonSchema('Note is required'),
})
export type SettingsChange = z.infer<typeof settingsChangeSchema>
