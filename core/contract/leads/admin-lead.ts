import { z } from 'zod'
import { accountIdSchema } from '../accounts/account.ts'
import { namedClientSchema } from '../accounts/named-client.ts'
import { reasonSchema } from '../admin-note.ts'
import { pageSchema } from '../page.ts'
import { decisionSchema } from '../market/decision.ts'
import { ENTRY_TYPES } from '../market/money/ledger.ts'
import { leadReturnSchema } from '../market/lead-return.ts'
import { moneySchema } from '../market/money/money.ts'
import { SUPPRESSION_REASONS } from '../market/suppression.ts'
import { whenLeftOut } from '../when-left-out.ts'
import { leadFilterSchema } from './lead-query.ts'
import { leadDeliveryCountsSchema, leadStatusSchema } from './lead.ts'

/** A client as administrators read it: the business's name, or the person's if there is none. */

/** Filters of the administrators' leads. `outcome` and `reason` are those of the last decision. */
export const adminLeadFilterSchema = leadFilterSchema
  .pick({ search: true, status: true, state: true, lead_type: true, from: true, to: true, is_test: true })
  .extend({
    /** the client that has it, or gave it back */
    client: accountIdSchema.optional(),
    source: z.uuid().optional(),
    order: z.uuid().optional(),
    outcome: decisionSchema.shape.outcome.optional(),
    reason: z
      .string()
      .regex(/^[a-z_]{1,60}$/, 'Must be a reason, like funds')
      .optional(),
  })
export type AdminLeadFilter = z.infer<typeof adminLeadFilterSchema>

/** A row of `GET /api/v1/admin/leads`. */
export const adminLeadSchema = z.object({
  id: z.uuid(),
  name: z.string().nullable(),
  email: z.string().nullable(),
  phone: z.string().nullable(),
  state: z.string().nullable(),
  lead_type: z.string(),
  status: leadStatusSchema,
  is_test: z.boolean(),
  created_at: z.string(),
  source: z.object({ id: z.uuid(), name: z.string() }).nullable(),
  /** null if it was never decided about */
  outcome: decisionSchema.shape.outcome.nullable(),
  reason: z.string().nullable(),
  holder: namedClientSchema.nullable(),
  price: z.string().nullable(),
  /** the person revoked consent, for everybody or for the holder */
  consent_revoked: whenLeftOut(z.boolean(), false),
  delivery_counts: leadDeliveryCountsSchema,
})
export type AdminLead = z.infer<typeof adminLeadSchema>

/** Number of leads up to which totals are exact. */
export const MOST_TOTALLED = 100_000

/** `GET /api/v1/admin/leads`: a page, and how far it was looked. */
export const adminLeadsSchema = pageSchema(adminLeadSchema).extend({
  /** older leads were not looked at; `next_cursor` goes on with them. null if the page is full, or all were looked at */
  searched_to: z.string().nullable(),
})

/** `GET /api/v1/admin/leads/totals`. `has_more`: only the newest {@link MOST_TOTALLED} leads are counted, or fewer. */
export const adminLeadTotalsSchema = z.object({
  leads: z.int(),
  has_more: z.boolean(),
  /** leads that a client has now */
  sold: z.int(),
  /** the prices of these */
  revenue: moneySchema,
  returned: z.int(),
  unsold: z.int(),
})
export type AdminLeadTotals = z.infer<typeof adminLeadTotalsSchema>

/** `GET /api/v1/admin/leads/:id`: how a lead came, who had it, and every cent that moved for it. */
export const leadStorySchema = z.object({
  id: z.uuid(),
  receipt: z.object({
    source: z.object({ id: z.uuid(), name: z.string() }).nullable(),
    /** the client that its source names */
    owner: namedClientSchema.nullable(),
    external_id: z.string().nullable(),
    idempotency_key: z.string().nullable(),
    received_at: z.string(),
    expires_at: z.string().nullable(),
    erased_at: z.string().nullable(),
    consent_revoked_at: z.string().nullable(),
    duplicate_of: z.uuid().nullable(),
    reject_reason: z.string().nullable(),
    cost: z.string().nullable(),
  }),
  /** everybody who ever had it, oldest first */
  holders: z.array(
    z.object({
      assignment_id: z.uuid(),
      client: namedClientSchema,
      order: z.object({ id: z.uuid(), name: z.string() }).nullable(),
      price: moneySchema,
      state: z.enum(['active', 'returned', 'revoked']),
      assigned_at: z.string(),
      first_viewed_at: z.string().nullable(),
      disposition: z.string(),
    }),
  ),
  /** entries of the ledger about it, oldest first */
  money: z.array(
    z.object({
      id: z.string(),
      created_at: z.string(),
      client: namedClientSchema,
      entry_type: z.enum(ENTRY_TYPES),
      amount: moneySchema,
      balance_after: moneySchema,
    }),
  ),
  returns: z.array(leadReturnSchema.extend({ client: namedClientSchema })),
})
export type LeadStory = z.infer<typeof leadStorySchema>

/** Body of `POST /api/v1/admin/leads/:id/reassign`. */
export const reassignmentSchema = z.strictObject({
  order_id: z.uuid({ error: 'Choose an order' }),
  reason: reasonSchema('Say why the lead is given to this order'),
})
export type Reassignment = z.infer<typeof reassignmentSchema>

/** Its answer. `credited`: what the former client got back; null if nobody had the lead. */
export const leadMovedSchema = z.object({
  lead_id: z.uuid(),
  client_user_id: accountIdSchema,
  order_id: z.uuid(),
  price: moneySchema,
  credited: moneySchema.nullable(),
})
export type LeadMoved = z.infer<typeof leadMovedSchema>

/** Body of `POST /api/v1/admin/leads/:id/offer-again`. */
export const offerAgainSchema = z.strictObject({ reason: reasonSchema('Say why it is offered again') })

/** Body of `POST /api/v1/admin/leads/:id/suppress`. */
export const suppressLeadSchema = z.strictObject({
  reason: z.enum(SUPPRESSION_REASONS, { error: 'Choose a reason' }),
  note: reasonSchema('Say why the person is suppressed'),
})
/** Its answer: number of phones and e-mail addresses that were not on the list before. */
export const leadSuppressedSchema = z.object({ added: z.int() })
