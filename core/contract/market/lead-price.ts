import { z } from 'zod'
import { accountIdSchema } from '../accounts/account.ts'
import { optionalNoteSchema } from '../admin-note.ts'
import { clientSchema } from '../accounts/named-client.ts'
import { amountSchema, moneySchema } from './money/money.ts'
import { trimText } from '../trim-invisible.ts'
import { whenLeftOut } from '../when-left-out.ts'

/** The lowest price of a lead, in dollars. */
const CHEAPEST = 0.01
const DEAREST = 10_000
export const priceSchema = amountSchema(CHEAPEST, DEAREST)

const codeSchema = z
  .string({ error: 'Code is required' })
  .regex(
    /^[a-z0-9][a-z0-9_]{0,63}$/,
    'Must be lower-case letters, digits and underscores, at most 64, like final_expense',
  )
const labelSchema = z
  .string({ error: 'Label is required' })
  .overwrite(trimText)
  .min(1, 'Label is required')
  .max(80, 'The label is too long (at most 80 characters)')

/** A lead type with its price, and the floor below which none is sold. `orders`: number of orders for it. */
export const leadTypeSchema = z.object({
  code: z.string(),
  label: z.string(),
  price: moneySchema,
  floor_price: moneySchema,
  orders: z.int(),
  /** whether a lead that comes late because of us is credited by itself */
  late_credit: whenLeftOut(z.boolean(), false),
  updated_at: z.string(),
})
export type LeadType = z.infer<typeof leadTypeSchema>

export const newLeadTypeSchema = z.strictObject({
  code: codeSchema,
  label: labelSchema,
  price: priceSchema,
  floor_price: priceSchema,
  late_credit: z.boolean().optional(),
  note: optionalNoteSchema,
})
export type NewLeadType = z.infer<typeof newLeadTypeSchema>

/** Body of `PATCH /api/v1/admin/lead-types`: the type by its code, and any of the rest. */
export const leadTypeChangeSchema = z.strictObject({
  code: z.string({ error: 'Code is required' }).max(64),
  label: labelSchema.optional(),
  price: priceSchema.optional(),
  floor_price: priceSchema.optional(),
  late_credit: z.boolean().optional(),
  note: optionalNoteSchema,
})
export type LeadTypeChange = z.infer<typeof leadTypeChangeSchema>

/** A price for a state, a client, or a client's state; it takes precedence over that of the lead type. */
export const leadPriceSchema = z.object({
  id: z.uuid(),
  lead_type: z.string(),
  state: z.string().nullable(),
  client: clientSchema.nullable(),
  price: moneySchema,
  created_at: z.string(),
})
export type LeadPrice = z.infer<typeof leadPriceSchema>

export const leadPriceFilterSchema = z.object({
  lead_type: z.string().max(64).optional(),
  client: accountIdSchema.optional(),
})
export type LeadPriceFilter = z.infer<typeof leadPriceFilterSchema>

/** Body of `POST /api/v1/admin/lead-prices`; it replaces the price for the same state and client. */
export const newLeadPriceSchema = z
  .strictObject({
    lead_type: z.string({ error: 'Lead type is required' }).max(64),
    state: z.string().trim().toUpperCase().max(64).nullish(),
    client_user_id: accountIdSchema.nullish(),
    price: priceSchema,
    note: optionalNoteSchema,
  })
  .refine(({ state, client_user_id: client }) => (state ?? null) !== null || (client ?? null) !== null, {
    path: ['state'],
    error: 'Name a state, a client, or both',
  })
export type NewLeadPrice = z.infer<typeof newLeadPriceSchema>
