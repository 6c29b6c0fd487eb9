import { judgeCallHours, type CallHours as Judged } from '#core/domain/leads/call-hours.ts'
import type { Whereabouts } from '#core/domain/leads/call-zones.ts'
import { Badge } from '../ui/show/Badge.tsx'
import { useNow } from '../ui/use-now.ts'

/** Shows the lead's local time, whether it may be called, and until or from when, by the hours of its state. */
export function CallHours({
  where,
  className = 'flex flex-wrap items-center gap-x-2 gap-y-1',
}: {
  where: Whereabouts
  className?: string
}) {
  const hours = judgeCallHours(where, new Date(useNow()))
  if (hours === undefined) return <span className="text-muted">Not known</span>
  return (
    <span className={className}>
      <span className="tabular">{hours.times.join(' or ')}</span>
      <Badge tone={hours.standing === 'open' ? 'success' : 'waiting'}>{nameStanding(hours)}</Badge>
      <span className="basis-full text-xs text-muted">
        {describeWindow(hours)}
        {hours.isGuess && ' This state lies in several time zones.'}{' '}
        <a href="/documentation/calling-hours" className="underline underline-offset-2">
          Where these hours come from
        </a>
        . Not legal advice.
      </span>
    </span>
  )
}

function nameStanding({ standing, today }: Judged): string {
  if (standing === 'open') return 'OK to call now'
  if (today === null) return 'No calls today'
  const range = `${nameHour(today[0])}-${nameHour(today[1])}`
  return standing === 'closed' ? `Outside ${range}` : `Partly outside ${range}`
}

function nameHour(hour: number): string {
  return `${hour % 12 || 12} ${hour < 12 ? 'AM' : 'PM'}`
}

/** "Until 8:00 PM EST." or "From Mon 8:00 AM EST." */
function describeWindow({ window, standing }: Judged): string {
  if (window === undefined) return ''
  const isOpen = window.isOpen && standing === 'open'
  const text = new Intl.DateTimeFormat('en-US', {
    timeZone: window.zone,
    ...(isOpen ? {} : { weekday: 'short' }),
    hour: 'numeric',
    minute: '2-digit',
    timeZoneName: 'short',
  })
    .format(isOpen ? window.until : window.from)
    .replaceAll('\u202F', ' ')
  return `${isOpen ? 'Until' : 'From'} ${text}.`
}
