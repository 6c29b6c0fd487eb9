import { z } from 'zod'
import { accountIdSchema } from '../accounts/account.ts'
import { optionalNoteSchema, reasonSchema } from '../admin-note.ts'
import { searchTextSchema } from '../search-text.ts'
import { adminOrderSchema } from './admin-order.ts'
import { leadPriceSchema } from './lead-price.ts'
import { balanceSchema } from './money/ledger.ts'
import { moneySchema } from './money/money.ts'
import { trimText } from '../trim-invisible.ts'
import { whenLeftOut } from '../when-left-out.ts'

/** Suspended: the client cannot sign in and gets no leads. Erased: the account's personal data was removed. */
export const CLIENT_STATES = ['onboarding', 'active', 'suspended', 'closed', 'erased'] as const
export const clientStateSchema = z.enum(CLIENT_STATES)
export type ClientState = z.infer<typeof clientStateSchema>

/** A client in the administrators' list. */
export const adminClientSchema = z.object({
  user_id: accountIdSchema,
  /** the person's name */
  name: z.string(),
  /** what the client is called: its business, else its person, else "Client" with the end of its id */
  display_name: whenLeftOut(z.string(), 'Client'),
  email: z.string(),
  business_name: z.string().nullable(),
  status: clientStateSchema,
  balance: moneySchema,
  /** the same word that the client sees */
  funding: whenLeftOut(balanceSchema.shape.funding, 'available'),
  begun: balanceSchema.shape.begun,
  /** orders that are not paused, and all orders */
  orders_active: z.int(),
  orders: z.int(),
  /** webhooks that fail, or that the system has switched off */
  webhooks_failing: whenLeftOut(z.int(), 0),
  /** since when and why all sending to the client is paused; null while it is not */
  sending_pause: whenLeftOut(z.object({ since: z.string(), reason: z.string() }).nullable(), null),
  last_lead_at: z.string().nullable(),
  created_at: z.string(),
})
export type AdminClient = z.infer<typeof adminClientSchema>

export const adminClientFilterSchema = z.object({
  search: searchTextSchema,
  status: clientStateSchema.optional(),
  /** only clients whose running orders ask for leads that their balance cannot pay */
  funds: z.literal('out').optional(),
})
export type AdminClientFilter = z.infer<typeof adminClientFilterSchema>

/** One whole client: its own data, its orders and its own prices. */
export const adminClientDetailSchema = adminClientSchema.extend({
  phone: z.string().nullable(),
  timezone: z.string(),
  npn: z.string().nullable(),
  licensed_states: z.array(z.string()),
  low_balance_threshold: moneySchema,
  auto_recharge_enabled: z.boolean(),
  webhooks_active: z.int(),
  order_list: z.array(adminOrderSchema),
  prices: z.array(leadPriceSchema),
})
export type AdminClientDetail = z.infer<typeof adminClientDetailSchema>

/** Body of approve and resume. */
export const clientDecisionSchema = z.strictObject({ note: optionalNoteSchema })
/** Body of suspend. */
export const clientSuspensionSchema = z.strictObject({
  reason: reasonSchema('Say why the account is suspended'),
})

/** Body of the pause of all sending: the client reads `reason`, administrators read `note`. */
export const sendingPauseSchema = z.strictObject({
  reason: z
    .string({ error: 'Say why; the client reads it' })
    .overwrite(trimText)
    .min(1, 'Say why; the client reads it')
    .max(200, 'The reason is too long (at most 200 characters)')
    .describe('The reason, which the client reads'),
  note: optionalNoteSchema,
})
/** Body of the end of that pause. */
export const sendingResumptionSchema = z.strictObject({ note: reasonSchema('Say why sending is resumed') })
