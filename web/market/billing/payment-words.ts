import type { Payment } from '#core/contract/market/money/payment.ts'
import type { Tone } from '#web/ui/show/tone.ts'

export const PAYMENT_STATUS: Readonly<Record<Payment['status'], { label: string; tone: Tone }>> = {
  pending: { label: 'Pending', tone: 'waiting' },
  received: { label: 'Received', tone: 'success' },
  failed: { label: 'Failed', tone: 'failure' },
  cancelled: { label: 'Cancelled', tone: 'neutral' },
}

/** How a payment was made. */
export const PAID_BY: Readonly<Record<Payment['method'], string>> = {
  checkout: 'By payment provider',
  request: 'By request',
}

/** "000042" */
export function formatReceiptNumber(number: number) {
  return String(number).padStart(6, '0')
}

/** Describes the method and purpose of a payment. */
export function describePayment({ kind, method }: Pick<Payment, 'kind' | 'method'>) {
  const how = PAID_BY[method]
  return kind === 'auto_recharge' ? `${how}, auto-recharge` : how
}
