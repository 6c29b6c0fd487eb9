import type { LeadDetail } from '#core/contract/leads/lead-detail.ts'
import {
  labelDeliveryStatus,
  describeCancellation,
  describeRateWait,
  formatDuration,
  formatOpening,
  formatResponseCode,
  labelOutcome,
} from '../../components/webhook-log-cells.ts'
import { Badge } from '../../ui/show/Badge.tsx'
import { EmptyState } from '../../ui/show/EmptyState.tsx'
import { RelativeTime } from '../../ui/show/RelativeTime.tsx'
import { DataTable } from '../../ui/show/table/DataTable.tsx'
import type { TableColumn } from '../../ui/show/table/table-column.ts'

type Attempt = LeadDetail['deliveries'][number]

export interface LeadDeliveriesProps {
  deliveries: readonly Attempt[]
  /** shows one attempt; without it the rows only tell */
  onOpen?: (id: string) => void
  /** what an empty table says */
  hint?: string
}

const YOURS = 'An attempt shows here when a webhook of yours is triggered by this lead.'

/** A table of the attempts to deliver a lead, newest first. */
export function LeadDeliveries({ deliveries, onOpen, hint = YOURS }: LeadDeliveriesProps) {
  if (deliveries.length === 0) return <EmptyState title="No delivery attempts">{hint}</EmptyState>
  return (
    <DataTable
      label="Delivery attempts"
      className="max-h-[28rem]"
      columns={onOpen === undefined ? COLUMNS : [openColumn(onOpen), ...COLUMNS.slice(1)]}
      items={deliveries}
      keyOf={({ id }) => id}
    />
  )
}

/** The name of the webhook, which shows the attempt. */
const openColumn = (onOpen: (id: string) => void): TableColumn<Attempt> => ({
  header: 'Webhook',
  part: 'who',
  className: 'w-2/5 min-w-32 cards:w-auto',
  render: ({ id, webhook_name: name, attempt_number: number }) => (
    <button
      type="button"
      className="min-h-6 rounded-sm text-left wrap-anywhere text-accent hover:underline"
      aria-label={`${name ?? 'Deleted webhook'}: show attempt ${number}`}
      onClick={() => onOpen(id)}
    >
      {name ?? 'Deleted webhook'}
    </button>
  ),
})

const COLUMNS: readonly TableColumn<Attempt>[] = [
  {
    header: 'Webhook',
    part: 'who',
    className: 'w-2/5 min-w-32 cards:w-auto',
    render: ({ webhook_name: name }) => (
      <span className="line-clamp-2 wrap-anywhere" title={name ?? undefined}>
        {name ?? 'Deleted webhook'}
      </span>
    ),
  },
  {
    header: 'Event',
    part: 'brief',
    className: 'font-mono text-xs whitespace-nowrap',
    render: (attempt) => attempt.event_type,
  },
  {
    header: 'Status',
    part: 'how',
    render: (attempt) => {
      const status = labelDeliveryStatus(attempt)
      return (
        <>
          <Badge tone={status.tone}>{status.label}</Badge>
          <Answer attempt={attempt} />
          {attempt.waits_for_hours && attempt.next_attempt_at !== null && (
            <span className="mt-0.5 block text-xs whitespace-nowrap text-muted tabular">
              waits until {formatOpening(attempt.next_attempt_at)}
            </span>
          )}
          {attempt.waits_for_rate !== null && (
            <span className="mt-0.5 block text-xs text-muted tabular">
              {describeRateWait(attempt.waits_for_rate)}
            </span>
          )}
        </>
      )
    },
  },
  {
    header: 'Response',
    part: 'figure',
    numeric: true,
    render: (attempt) => formatResponseCode(attempt.response_status),
  },
  { header: 'Attempt', part: 'figure', numeric: true, render: (attempt) => attempt.attempt_number },
  {
    header: 'Duration',
    part: 'figure',
    numeric: true,
    className: 'whitespace-nowrap',
    render: (attempt) => formatDuration(attempt.processing_time_ms),
  },
  { header: 'Time', part: 'when', render: ({ created_at: at }) => <RelativeTime exact at={at} /> },
  {
    header: 'Error',
    part: 'note',
    className: 'w-3/5 min-w-40 text-xs wrap-anywhere text-muted cards:w-auto',
    render: (attempt) => {
      const error = sayError(attempt)
      return (
        error !== null && (
          <span className="line-clamp-2 cards:line-clamp-none" title={error}>
            {error}
          </span>
        )
      )
    },
  },
]

function sayError(attempt: Attempt) {
  return attempt.delivery_status === 'cancelled' ? describeCancellation(attempt) : attempt.error_message
}

/** Shows the outcome of the answer and the receiver's id of the lead. */
function Answer({ attempt: { outcome, receiver_id } }: { attempt: Attempt }) {
  const said = labelOutcome(outcome)
  if (said === null && receiver_id === null) return null
  return (
    <span className="mt-0.5 flex max-w-40 items-baseline gap-1.5 text-xs text-muted">
      {said}
      {receiver_id !== null && (
        <code className="truncate font-mono" title={`Id at the receiver: ${receiver_id}`}>
          {receiver_id}
        </code>
      )}
    </span>
  )
}
