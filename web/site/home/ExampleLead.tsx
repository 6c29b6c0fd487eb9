import { JourneyLine } from '#web/ui/show/JourneyLine.tsx'
import type { Station } from '#web/ui/show/station.ts'
import { SAMPLE_LEAD } from '#core/domain/leads/sample-lead.ts'
import { formatPhone } from '#web/format/phone.ts'

const STATIONS: readonly Station[] = [
  { key: 'received', label: 'Received', state: 'done', note: 'checked, and stored once' },
  { key: 'assigned', label: 'Assigned', state: 'done', note: 'to the order that fits' },
  { key: 'sent', label: 'Sent', state: 'done', note: 'signed, to your endpoint' },
  { key: 'delivered', label: 'Delivered', state: 'done', note: 'your CRM answered 200' },
]

/** Shows a lead and its journey, as in the app. */
export function ExampleLead() {
  return (
    <figure className="mt-14 rounded-lg border border-line bg-surface">
      <figcaption className="flex flex-wrap items-baseline justify-between gap-x-6 gap-y-1 border-b border-line px-5 py-3">
        <span className="text-sm font-semibold">{SAMPLE_LEAD.name}</span>
        <span className="text-xs text-muted">
          Final expense · {SAMPLE_LEAD.city}, {SAMPLE_LEAD.state} · {formatPhone(SAMPLE_LEAD.phone ?? '')}
        </span>
        <span className="text-xs text-faint sm:ml-auto">A fictional lead, as in the app</span>
      </figcaption>
      <div className="px-5 py-6">
        <JourneyLine stations={STATIONS} />
      </div>
    </figure>
  )
}
