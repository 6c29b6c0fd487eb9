import type { Payment } from '#core/contract/market/money/payment.ts'
import type { Tone } from '#web/ui/show/tone.ts'

export const PAYMENT_STATUS: Readonly<Record<Payment['status'], { label: string; tone: Tone }>> = {
  pending: { label: 'Pending', tone: 'waiting' },
  received: { label: 'Received', tone: 'success' },
  failed: { label: 'Failed', tone: 'failure' },
  cancelled: { label: 'Cancelled', tone: 'neutral' },
}
