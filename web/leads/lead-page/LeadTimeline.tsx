import { leftOutSchema, type TimelineEvent } from '#core/contract/events.ts'
import { Card } from '../../ui/show/Card.tsx'
import { RelativeTime } from '../../ui/show/RelativeTime.tsx'
import { wordErrorClass } from '../../components/error-class-words.ts'
import { words } from '../../format/words.ts'
import { wordMisfit } from '#core/domain/webhooks/conditions/word-conditions.ts'
import { labelEvent } from '../label-event.ts'
import { wordLeftOut } from '../word-left-out.ts'

export interface LeadTimelineProps {
  events: readonly TimelineEvent[]
  /** names of events for a reader who is not the client */
  labels?: Readonly<Record<string, string>>
  /** words of a reason that is no class of errors */
  wordReason?: (reason: string) => string
}

export function LeadTimeline({ events, labels = {}, wordReason = words }: LeadTimelineProps) {
  // We reverse the API's order. Sorting by time could put an effect below its cause of the same moment.
  const newestFirst = events.toReversed()
  return (
    <Card title="Timeline">
      {events.length === 0 && <p className="text-sm text-muted">Nothing has happened yet.</p>}
      <ol className="flex flex-col">
        {newestFirst.map((event) => (
          <li key={event.id} className="flex min-h-8 items-center justify-between gap-4">
            <span className="min-w-0 break-words">
              {labels[event.type] ?? labelEvent(event.type, event.data)}
              <Remark event={event} wordReason={wordReason} />
            </span>
            <RelativeTime at={event.created_at} className="text-muted" />
          </li>
        ))}
      </ol>
    </Card>
  )
}

interface RemarkProps {
  event: TimelineEvent
  wordReason: (reason: string) => string
}

/** Says why an event failed, or another remark; nothing if all went well. */
function Remark({ event: { type, data }, wordReason }: RemarkProps) {
  const { reason, outcome, unmet, note, webhook_name: webhook } = data
  const leftOut = leftOutSchema.safeParse(data).data
  const remark =
    leftOut !== undefined
      ? wordLeftOut(leftOut)
      : reason === 'conditions'
        ? `${typeof webhook === 'string' ? `to “${webhook}”, ` : ''}${wordMisfit(readWords(unmet))}`
        : outcome === 'rejected'
          ? 'the receiver rejected it'
          : outcome === 'duplicate'
            ? 'the receiver had it already'
            : typeof reason === 'string'
              ? (wordErrorClass(reason) ?? lowerFirst(wordReason(reason)))
              : type === 'lead.given' && typeof note === 'string' && note !== ''
                ? `“${note}”`
                : null
  return remark === null ? null : <span className="text-muted">: {remark}</span>
}

function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1)
}

function readWords(given: unknown): string[] {
  return Array.isArray(given) ? given.filter((one) => typeof one === 'string') : []
}
