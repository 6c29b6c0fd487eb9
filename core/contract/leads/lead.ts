import { z } from 'zod'
import { trimText } from '../trim-invisible.ts'
import { accountIdSchema } from '../accounts/account.ts'
import { reasonSchema } from '../admin-note.ts'
import { whenLeftOut } from '../when-left-out.ts'

/** docs/product.md §3: the system owns `status`; the buyer owns `disposition`. */
export const LEAD_STATUSES = [
  'new',
  'assigned',
  'unassigned',
  'duplicate',
  'rejected',
  'expired',
  'returned',
  'redacted',
] as const
export const leadStatusSchema = z.enum(LEAD_STATUSES)
export type LeadStatus = z.infer<typeof leadStatusSchema>

/** The text that a client reads in place of the name of a returned lead. */
export const RETURNED_LEAD_NAME = 'Returned: do not contact'

/** docs/product.md §9: the lead that 'Run Assignment Test' inserts. */
export const TEST_LEAD = {
  lead_type: 'final_expense',
  state: 'CA',
  source: 'manual_assignment_test',
  deal_size: 0,
  status: 'new',
} as const

/**
 * The counts of a lead's deliveries by status, one delivery for each webhook and event. If a delivery was sent again,
 * the newest counts, unless it was cancelled. `held` wait for their webhook (switched off, or its endpoint does not
 * answer), `retrying` for their next attempt, `waiting` for their first. `sent`: the number for which a request was
 * sent to the endpoint. Of a deleted webhook only accepted deliveries count.
 */
export const leadDeliveryCountsSchema = z.object({
  delivered: z.int(),
  failed: z.int(),
  held: z.int(),
  retrying: z.int(),
  waiting: z.int(),
  cancelled: z.int(),
  sent: z.int(),
})
export type LeadDeliveryCounts = z.infer<typeof leadDeliveryCountsSchema>

/** A row of the leads list and of the search box. `deal_size` is dollars. `unread` until the client opens the lead. */
export const leadSummarySchema = z.object({
  id: z.uuid(),
  name: z.string().nullable(),
  email: z.string().nullable(),
  phone: z.string().nullable(),
  state: z.string().nullable(),
  city: z.string().nullable(),
  lead_type: z.string(),
  member_user_id: whenLeftOut(z.uuid().nullable(), null),
  source: z.string().nullable(),
  status: leadStatusSchema,
  deal_size: z.number(),
  is_test: z.boolean(),
  created_at: z.string(),
  assigned_at: z.string().nullable(),
  unread: z.boolean(),
  /** the price that its holder paid, as dollars with two decimals; null for everybody else */
  price: z.string().nullable(),
  disposition: z.string().nullable(),
  /** the person revoked consent, and the caller's account was told: do not contact them */
  consent_revoked: whenLeftOut(z.boolean(), false),
  /**
   * `failed` if any delivery has finally failed, otherwise `pending` if any is unfinished, otherwise `delivered`; null
   * without any
   */
  delivery_status: z.enum(['delivered', 'failed', 'pending']).nullable(),
  delivery_counts: leadDeliveryCountsSchema,
})
export type LeadSummary = z.infer<typeof leadSummarySchema>

/** docs/product.md §3: the buyer owns `disposition` and moves freely between its values. */
export const DISPOSITIONS = [
  'new',
  'attempted',
  'contacted',
  'follow_up',
  'appointment',
  'quoted',
  'sold',
  'not_interested',
  'bad_number',
  'wrong_person',
  'do_not_contact',
] as const

/** Nobody works on a lead with one of these any more. */
export const CLOSED_DISPOSITIONS: readonly (typeof DISPOSITIONS)[number][] = [
  'sold',
  'not_interested',
  'bad_number',
  'wrong_person',
  'do_not_contact',
]

/**
 * Body of `PATCH /api/v1/leads/:id`. The first two are the fallback of docs/product.md §7, for the caller's own test
 * lead only.
 */
export const leadChangeSchema = z.strictObject({
  assigned_to: accountIdSchema.optional(),
  status: z.literal('assigned').optional(),
  disposition: z.enum(DISPOSITIONS).optional(),
  notes: z.string().max(5000, 'Notes are too long (at most 5,000 characters)').nullable().optional(),
})
export type LeadChange = z.infer<typeof leadChangeSchema>

/** Body of `POST /api/v1/leads/:id/member`. */
export const leadGivingSchema = z.strictObject({
  member_user_id: z.uuid('Must be the id of a person').nullable(),
  note: z
    .string()
    .overwrite(trimText)
    .max(500, 'Is too long (at most 500 characters)')
    .nullish()
    .transform((note) => (note === undefined || note === '' ? null : note)),
})
export type LeadGiving = z.infer<typeof leadGivingSchema>

/** The answer to a client's own insert (docs/product.md §7). */
export const ownLeadSchema = leadSummarySchema.extend({
  user_id: accountIdSchema.nullable(),
  assigned_to: accountIdSchema.nullable(),
  first_name: z.string().nullable(),
  last_name: z.string().nullable(),
})

/** Body of `POST /api/v1/admin/leads/:id/erase`. */
export const leadErasureSchema = z.strictObject({ reason: reasonSchema('Say why the person is erased') })

/**
 * Answer of `POST /api/v1/admin/leads/:id/erase`. `erased_attempts`: number of attempts whose headers and bodies were
 * still stored. `erased_files`: number of files that may have contained the person.
 */
export const leadErasedSchema = z.object({
  lead_id: z.uuid(),
  erased_at: z.string(),
  cancelled_deliveries: z.int(),
  erased_attempts: z.int(),
  erased_files: z.int(),
})
export type LeadErased = z.infer<typeof leadErasedSchema>
