import { z } from 'zod'
import { clientSchema } from '../../accounts/named-client.ts'
import { optionalNoteSchema, reasonSchema } from '../../admin-note.ts'
import { amountSchema, moneySchema } from './money.ts'
import { whenLeftOut } from '../../when-left-out.ts'

/** Limits of one payment, in dollars (docs/product.md §9). */
export const LEAST_PAYMENT = 50
export const MOST_PAYMENT = 10_000
/** Limit of a client's waiting payments. */
export const MOST_PENDING_PAYMENTS = 3

export const PAYMENT_STATES = ['pending', 'received', 'failed', 'cancelled'] as const

/** `POST /api/v1/payments`. */
export const newPaymentSchema = z.strictObject({
  amount: amountSchema(LEAST_PAYMENT, MOST_PAYMENT),
  /** whether the provider stores the payment method, for an auto-recharge that the client may switch on */
  save_method: z.boolean().default(false),
})

export const paymentSchema = z.object({
  id: z.uuid(),
  created_at: z.iso.datetime(),
  kind: z.enum(['top_up', 'auto_recharge']),
  /**
   * request: paid elsewhere, and an administrator marks it as received; checkout: paid on the payment provider's page
   */
  method: z.enum(['request', 'checkout']),
  amount: moneySchema,
  /** the amount that was requested, if a different one came */
  asked_amount: moneySchema.nullable(),
  status: z.enum(PAYMENT_STATES),
  /** the provider's page, while it can be paid there */
  checkout_url: z.string().nullable(),
  /** why it failed; for a pending one, why it was not credited and waits for an administrator */
  failure: z.string().nullable(),
  decided_at: z.iso.datetime().nullable(),
  note: z.string().nullable(),
  /** the returned part: refunded, or taken back by a dispute that is not won */
  taken_back: moneySchema,
  /** its newest dispute, if there is one: open until the bank has decided */
  dispute: z.enum(['open', 'won', 'lost']).nullable(),
  /** the number of its receipt, without gaps; null until it is received */
  receipt_number: whenLeftOut(z.int().nullable(), null),
  /** the seller on its receipt, as it was when the payment came; null until it is received */
  seller: whenLeftOut(z.object({ name: z.string(), address: z.string() }).nullable(), null),
})
export type Payment = z.infer<typeof paymentSchema>

/** `GET /api/v1/admin/payments`. */
export const adminPaymentSchema = paymentSchema.extend({
  client: clientSchema,
  /** the amount in dollars that the provider reports, if it differs from the requested one */
  told_amount: moneySchema.nullable(),
  /** until when its open dispute can be answered, if the provider says so */
  dispute_due_by: whenLeftOut(z.iso.datetime().nullable(), null),
})
export type AdminPayment = z.infer<typeof adminPaymentSchema>
export const adminPaymentFilterSchema = z.object({
  status: z.enum(PAYMENT_STATES).optional(),
  /** only payments with a dispute, whatever its result */
  disputed: z
    .literal('true')
    .transform(() => true)
    .optional(),
})

/** More than anybody transfers at once, so that a typing error is refused. */
const MOST_RECEIVED = 100_000

/** Body of the administrators' reject. */
export const paymentDecisionSchema = z.strictObject({ note: optionalNoteSchema })

/**
 * Body of the administrators' receive. `amount` is the received amount, if it differs from the amount that the provider
 * reported. Without a report it is compared with the requested amount.
 */
export const paymentReceiptSchema = paymentDecisionSchema.extend({
  amount: amountSchema(0.01, MOST_RECEIVED).optional(),
})

/** Body of the administrators' adjust: money in if the amount is positive, out if it is negative. */
export const adjustmentSchema = z.strictObject({
  amount: amountSchema(-MOST_PAYMENT, MOST_PAYMENT).refine((amount) => amount !== '0.00', 'Must not be 0'),
  note: reasonSchema('Note is required'),
})
