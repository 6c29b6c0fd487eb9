import { judgeCallHours, type CallHours as Judged, type Whereabouts } from '#core/domain/leads/call-hours.ts'
import { Badge } from '../ui/show/Badge.tsx'
import { useNow } from '../ui/use-now.ts'

const STANDINGS: Readonly<Record<Judged['standing'], { label: string; tone: 'success' | 'waiting' }>> = {
  open: { label: 'OK to call now', tone: 'success' },
  closed: { label: 'Outside 8 AM-9 PM', tone: 'waiting' },
  unsure: { label: 'Partly outside 8 AM-9 PM', tone: 'waiting' },
}

/** Shows the lead's local time, and whether it is a time to call. */
export function CallHours({ where }: { where: Whereabouts }) {
  const hours = judgeCallHours(where, new Date(useNow()))
  if (hours === undefined) return <span className="text-muted">Not known</span>
  const { label, tone } = STANDINGS[hours.standing]
  return (
    <span className="flex flex-wrap items-center gap-x-2 gap-y-1">
      <span className="tabular">{hours.times.join(' or ')}</span>
      <Badge tone={tone}>{label}</Badge>
      {hours.isGuess && <span className="text-xs text-muted">This state lies in several time zones.</span>}
    </span>
  )
}
