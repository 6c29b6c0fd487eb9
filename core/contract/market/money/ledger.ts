import { z } from 'zod'
import { moneySchema } from './money.ts'
import { paymentSchema } from './payment.ts'
import { whenLeftOut } from '../../when-left-out.ts'

/**
 * The kinds of entries that move a balance. Money in: top_up to lead_return, chargeback_reversal and late_credit; out: the others; a
 * correction either way.
 */
export const ENTRY_TYPES = [
  'top_up',
  'auto_recharge',
  'promo_credit',
  'manual_credit',
  'manual_debit',
  'lead_purchase',
  'lead_return',
  'refund_out',
  'chargeback',
  'chargeback_reversal',
  'correction',
  /** the price of a lead that began its way late because of us */
  'late_credit',
] as const
export type EntryType = (typeof ENTRY_TYPES)[number]

/** One entry of a client's ledger. It never changes; another entry corrects it. */
export const ledgerEntrySchema = z.object({
  id: z.string().regex(/^\d+$/),
  created_at: z.iso.datetime(),
  entry_type: z.enum(ENTRY_TYPES),
  /** signed: a debit is negative */
  amount: moneySchema,
  balance_after: moneySchema,
  /** the lead that was bought or returned */
  lead_id: z.uuid().nullable(),
  note: z.string().nullable(),
})
export type LedgerEntry = z.infer<typeof ledgerEntrySchema>

/** `GET /api/v1/balance`. */
export const balanceSchema = z.object({
  balance: moneySchema,
  /** out: the balance pays for no lead; limited: below the threshold of the account; see docs/product.md §4 */
  funding: z.enum(['available', 'limited', 'out']),
  /** whether the client has ever had money and an order; until then an empty balance is a step to take */
  begun: whenLeftOut(z.boolean(), true),
  /**
   * spent on leads since midnight, and since the first of the month, in the account's zone; credits for returns are not
   * deducted
   */
  spent_today: moneySchema,
  spent_this_month: moneySchema,
  /**
   * whole days that the balance lasts at the pace of the last seven and in the hours of the orders; null if nothing was
   * bought in them
   */
  days_left: z.int().nullable(),
  /** payments that are requested and not received */
  pending: z.array(paymentSchema),
  /** the way of the next payment: checkout if a payment provider is configured */
  payment_method: paymentSchema.shape.method,
  /** where requested funds are paid to; null if nobody has said so, or if the payment provider is used */
  bank_details: whenLeftOut(z.string().nullable(), null),
})
export type Balance = z.infer<typeof balanceSchema>
