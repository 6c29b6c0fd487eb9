import type { Revocation } from '#core/contract/leads/revocation.ts'
import { Badge } from '#web/ui/show/Badge.tsx'
import { sayCountdown, toneOfCountdown } from '../../revocations/say-countdown.ts'

/** Waiting, declined, acknowledged by all, or the time that is left. */
export function RevocationStanding({ revocation }: { revocation: Revocation }) {
  const { status, holders, acknowledged, business_days_left: days } = revocation
  if (status === 'waiting') return <Badge tone="waiting">To decide</Badge>
  if (status === 'declined') return <Badge>Declined</Badge>
  if (holders === 0) return <Badge>Nobody held a lead</Badge>
  if (acknowledged === holders) return <Badge tone="success">Acknowledged by all</Badge>
  return <Badge tone={toneOfCountdown(days)}>{sayCountdown(days) ?? 'Open'}</Badge>
}
