import { z } from 'zod'
import { accountIdSchema } from '../accounts/account.ts'

/** With an order, the answer tells why that order did not get the lead. */
export const decisionQuerySchema = z.object({ order_id: z.uuid().optional() })

/** `GET /api/v1/admin/leads/:id/decision`: who got a lead, and why the others did not. Reasons are snake_case. */
export const decisionSchema = z.object({
  lead_id: z.uuid(),
  outcome: z.enum(['assigned', 'duplicate', 'no_buyer', 'rejected', 'expired']),
  reason: z.string().nullable(),
  /** for a duplicate, the lead that was sold before */
  duplicate_of: z.uuid().nullable(),
  order_id: z.uuid().nullable(),
  order_name: z.string().nullable(),
  client_user_id: accountIdSchema.nullable(),
  client_name: z.string().nullable(),
  price: z.string().nullable(),
  /** orders for the lead's type and state, at most 100; those with a reason of their own come first */
  refusals: z.array(
    z.object({
      order_id: z.uuid(),
      order_name: z.string(),
      client_user_id: accountIdSchema,
      client_name: z.string(),
      reason: z.string(),
    }),
  ),
  /** number of orders for its type that were refused, by reason */
  refused: z.record(z.string(), z.int()),
  /** clients that had it before, and gave it back or could not be reached, oldest first */
  returns: z.array(
    z.object({
      order_name: z.string().nullable(),
      client_user_id: accountIdSchema,
      client_name: z.string(),
      price: z.string(),
      reason: z.string(),
      at: z.string(),
    }),
  ),
  tries: z.int(),
  decided_at: z.string(),
  /** until when it is offered again, if it is unsold */
  held_until: z.string().nullable(),
  /**
   * number of days in which an earlier sale of the same person counts now: as a duplicate, and as a sale to the same
   * client
   */
  windows: z.object({ duplicate_days: z.int(), resale_days: z.int() }),
})
export type LeadDecision = z.infer<typeof decisionSchema>
