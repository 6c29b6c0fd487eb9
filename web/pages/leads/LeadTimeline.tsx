import type { EventType, TimelineEvent } from '../../../core/contract/events.ts'
import { Card } from '../../ui/Card.tsx'
import { RelativeTime } from '../../ui/RelativeTime.tsx'
import { words } from '../../format/words.ts'

const LABELS: Record<EventType, string> = {
  'lead.created': 'Received',
  'lead.assigned': 'Assigned to you',
  'lead.unassigned': 'Not assigned',
  'lead.viewed': 'Opened',
  'delivery.succeeded': 'Delivered',
  'delivery.failed': 'Delivery failed',
}

export function LeadTimeline({ events }: { events: readonly TimelineEvent[] }) {
  const newestFirst = events.toSorted((one, other) => other.created_at.localeCompare(one.created_at))
  return (
    <Card title="Timeline">
      {events.length === 0 && <p className="text-sm text-muted">Nothing has happened yet.</p>}
      <ol className="flex flex-col">
        {newestFirst.map((event) => (
          <li key={event.id} className="flex min-h-8 items-center justify-between gap-4">
            <span>
              {LABELS[event.type]}
              {typeof event.data['reason'] === 'string' && (
                <span className="text-muted">: {words(event.data['reason']).toLowerCase()}</span>
              )}
            </span>
            <RelativeTime at={event.created_at} className="text-muted" />
          </li>
        ))}
      </ol>
    </Card>
  )
}
