import { z } from 'zod'
import { accountIdSchema } from '../accounts/account.ts'
import { optionalNoteSchema } from '../admin-note.ts'
import { clientSchema } from '../accounts/named-client.ts'
import { priceSchema } from './lead-price.ts'
import { moneySchema } from './money/money.ts'
import { trimText } from '../trim-invisible.ts'
import { versionConflictSchema } from './version-conflict.ts'
import { whenLeftOut } from '../when-left-out.ts'

/**
 * An order in the form that administrators see. `price` is its own price, null if the price list counts. `charged` is
 * what a lead from the cheapest of its states costs now; its client sees that as `price`. Priority 1 is tried first;
 * orders of equal priority share leads by weight.
 */
export const adminOrderSchema = z.object({
  id: z.uuid(),
  client: clientSchema,
  name: z.string(),
  lead_type: z.string(),
  lead_type_label: z.string(),
  states: z.array(z.string()),
  max_lead_age_minutes: whenLeftOut(z.int().nullable(), null),
  daily_cap: z.int().nullable(),
  weekly_cap: z.int().nullable(),
  monthly_cap: z.int().nullable(),
  price: moneySchema.nullable(),
  charged: moneySchema,
  priority: z.int(),
  weight: z.int(),
  paused_by: z.enum(['client', 'admin', 'system']).nullable(),
  paused_by_client: z.boolean(),
  pause_reason: z.string().nullable(),
  leads: z.int(),
  last_assigned_at: z.string().nullable(),
  version: z.int(),
  created_at: z.string(),
  updated_at: z.string(),
})
export type AdminOrder = z.infer<typeof adminOrderSchema>

export const adminOrderFilterSchema = z.object({
  client: accountIdSchema.optional(),
  lead_type: z.string().max(64).optional(),
  paused: z.enum(['true', 'false']).optional(),
})
export type AdminOrderFilter = z.infer<typeof adminOrderFilterSchema>

const whole = (least: number, most: number) => {
  const error = `Must be a whole number from ${least} to ${most}`
  return z.int({ error }).min(least, error).max(most, error)
}

/**
 * Body of `PATCH /api/v1/admin/orders/:id`: the version that was read, and any of the rest. A null price means the
 * price list's. The client reads `reason`, which says why an order is paused; administrators read `note`, which says
 * why anything was changed.
 */
export const adminOrderChangeSchema = z
  .strictObject({
    version: z.int({ error: 'The version that was read is required' }),
    price: priceSchema.nullable().optional().describe('Price in dollars; null: the one of the price list'),
    priority: whole(1, 99).optional(),
    weight: whole(1, 100).optional(),
    paused: z.boolean().optional(),
    reason: z
      .string()
      .overwrite(trimText)
      .max(200, 'The reason is too long (at most 200 characters)')
      .optional()
      .describe('The reason for a pause, which the client reads; required with `paused: true`'),
    note: optionalNoteSchema,
  })
  .refine(({ paused, reason = '' }) => paused !== true || reason !== '', {
    path: ['reason'],
    error: 'Say why the order is paused; its client reads it',
  })
export type AdminOrderChange = z.infer<typeof adminOrderChangeSchema>

export const adminOrderConflictSchema = versionConflictSchema(adminOrderSchema)
