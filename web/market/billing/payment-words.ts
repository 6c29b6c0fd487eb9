import type { Payment } from '#core/contract/market/payment.ts'
import type { Tone } from '#web/ui/show/tone.ts'

export const PAYMENT_STATUS: Readonly<Record<Payment['status'], { label: string; tone: Tone }>> = {
  pending: { label: 'Pending', tone: 'waiting' },
  received: { label: 'Received', tone: 'success' },
  failed: { label: 'Failed', tone: 'failure' },
  cancelled: { label: 'Cancelled', tone: 'neutral' },
}

/** Describes the method and purpose of a payment. */
export function describePayment({ kind, method }: Pick<Payment, 'kind' | 'method'>) {
  const how = method === 'checkout' ? 'By payment provider' : 'By request'
  return kind === 'auto_recharge' ? `${how}, auto-recharge` : how
}
