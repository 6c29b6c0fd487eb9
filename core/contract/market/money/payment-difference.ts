import { z } from 'zod'
import { clientSchema } from '../../accounts/named-client.ts'

export const DIFFERENCE_KINDS = [
  'unknown',
  'not_credited',
  'not_paid',
  'amount',
  'refund',
  'dispute',
] as const

/** A difference between our payments and the provider's records. */
export const paymentDifferenceSchema = z.object({
  /**
   * unknown: not in our records; not_credited: paid only there; not_paid: credited only here; the others: both records
   * have it, but differ
   */
  kind: z.enum(DIFFERENCE_KINDS),
  /** the provider's name of the payment intent, or of the dispute */
  provider_id: z.string(),
  payment_id: z.uuid().nullable(),
  client: clientSchema.nullable(),
  /** in words */
  ours: z.string(),
  theirs: z.string(),
  found_at: z.iso.datetime(),
})
export type PaymentDifference = z.infer<typeof paymentDifferenceSchema>

/** `GET /api/v1/admin/payment-differences`: the newest 200, and how many there are. */
export const paymentComparisonSchema = z.object({
  data: z.array(paymentDifferenceSchema),
  count: z.int(),
  /** whether there is a payment provider to compare with */
  is_configured: z.boolean(),
  /**
   * number of the provider's payments and disputes that were compared, the time of the comparison, and its first day;
   * null before the first one
   */
  compared: z.int(),
  compared_at: z.iso.datetime().nullable(),
  since: z.iso.datetime().nullable(),
  /** why the last try failed; null if it succeeded */
  failure: z.string().nullable(),
})
export type PaymentComparison = z.infer<typeof paymentComparisonSchema>
