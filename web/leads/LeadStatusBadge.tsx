import type { LeadStatus } from '#core/contract/leads/lead.ts'
import { words } from '../format/words.ts'
import { Badge } from '../ui/show/Badge.tsx'
import type { Tone } from '../ui/show/tone.ts'

const TONES: Record<LeadStatus, Tone> = {
  new: 'info',
  assigned: 'neutral',
  unassigned: 'waiting',
  duplicate: 'neutral',
  rejected: 'neutral',
  expired: 'neutral',
  returned: 'neutral',
  redacted: 'neutral',
}

export function LeadStatusBadge({ status }: { status: LeadStatus }) {
  return <Badge tone={TONES[status]}>{words(status)}</Badge>
}
