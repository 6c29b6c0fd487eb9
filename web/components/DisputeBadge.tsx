import type { Payment } from '#core/contract/market/money/payment.ts'
import { Badge } from '#web/ui/show/Badge.tsx'
import type { Tone } from '#web/ui/show/tone.ts'

const WORDS: Record<NonNullable<Payment['dispute']>, { label: string; tone: Tone }> = {
  open: { label: 'Disputed', tone: 'failure' },
  lost: { label: 'Dispute lost', tone: 'failure' },
  won: { label: 'Dispute won', tone: 'neutral' },
}

/** Shows that the bank was asked to take a payment back, and the outcome. */
export function DisputeBadge({ dispute }: { dispute: Payment['dispute'] }) {
  if (dispute === null) return null
  const { label, tone } = WORDS[dispute]
  return <Badge tone={tone}>{label}</Badge>
}
