import { RotateCw } from 'lucide-react'
import type { ReactNode, RefObject } from 'react'
import type { DeliveryLog } from '#core/contract/webhooks/delivery.ts'
import {
  labelDeliveryStatus,
  describeCancellation,
  describeLead,
  formatDuration,
  formatResponseCode,
  labelOutcome,
} from '#web/components/webhook-log-cells.ts'
import { Badge } from '#web/ui/show/Badge.tsx'
import { exactTime } from '#web/ui/show/format-time.ts'
import { DataTable } from '#web/ui/show/table/DataTable.tsx'
import type { TableColumn } from '#web/ui/show/table/table-column.ts'
import { describeWait } from './describe-wait.ts'
import { LogRowMenu } from './LogRowMenu.tsx'
import type { DeliveryActions } from './use-delivery-actions.tsx'

export interface DeliveryLogTableProps {
  /** Newest first. */
  logs: readonly DeliveryLog[]
  /** Time at which the rows were fetched; waits are counted from it. */
  now: Date
  isWebhookActive: boolean
  actions: DeliveryActions
  /** The attempt that was shown before; its row gets the focus. */
  returnedFrom: string | null
  onOpenAttempt: (logId: string) => void
  /** Marks the top of the rows. */
  top: RefObject<HTMLDivElement | null>
  /** Shown below the last row; scrolls with it. */
  end: ReactNode
}

export function DeliveryLogTable({
  logs,
  returnedFrom,
  onOpenAttempt,
  top,
  end,
  ...row
}: DeliveryLogTableProps) {
  // Fixed widths, so that the columns do not move when rows change.
  const columns: readonly TableColumn<DeliveryLog>[] = [
    {
      header: 'Lead',
      part: 'who',
      headerClass: 'w-60',
      className: 'max-w-60 min-w-44',
      render: (log) => <LeadOf log={log} autoFocus={log.id === returnedFrom} />,
    },
    {
      header: 'Status',
      part: 'how',
      headerClass: 'w-36',
      className: 'whitespace-nowrap',
      render: (log) => <Status log={log} wait={describeWait(log, logs, row.isWebhookActive, row.now)} />,
    },
    {
      header: 'Response code',
      part: 'figure',
      numeric: true,
      render: (log) => formatResponseCode(log.response_status),
    },
    { header: 'Attempt', part: 'figure', numeric: true, render: (log) => log.attempt_number },
    {
      header: 'Duration',
      part: 'figure',
      numeric: true,
      headerClass: 'w-24',
      className: 'whitespace-nowrap',
      render: (log) => formatDuration(log.processing_time_ms),
    },
    {
      header: 'Timestamp',
      part: 'when',
      className: 'whitespace-nowrap text-muted tabular',
      render: ({ created_at: at }) => (
        <time dateTime={at} title={new Date(at).toISOString()}>
          {exactTime(at)}
        </time>
      ),
    },
    {
      header: 'Error',
      part: 'note',
      headerClass: 'w-80',
      className: 'max-w-72 min-w-56',
      render: (log) => <Fault log={log} />,
    },
    {
      header: 'Actions',
      part: 'menu',
      headerClass: 'right-0 w-12',
      render: (log) => (
        // React passes events of the menu's portal to the row, so they must stop here.
        <span role="presentation" className="shrink-0" onClick={(event) => event.stopPropagation()}>
          <LogRowMenu {...row} log={log} onOpen={() => onOpenAttempt(log.id)} />
        </span>
      ),
    },
  ]
  return (
    <DataTable
      label="Delivery logs"
      before={<div ref={top} aria-hidden className="absolute top-0 h-px w-px" />}
      after={end}
      className="min-h-0 flex-1 sm:min-h-72 sm:[overflow-anchor:none] [&_:is(td,th):first-child]:pl-5 [&_:is(td,th):last-child]:pr-3"
      columns={columns}
      items={logs}
      keyOf={({ id }) => id}
      rowProps={({ id }) => ({ onClick: () => onOpenAttempt(id), className: 'cursor-pointer cards:px-5' })}
    />
  )
}

function LeadOf({ log, autoFocus }: { log: DeliveryLog; autoFocus: boolean }) {
  const lead = describeLead(log)
  return (
    <>
      <span className="flex min-w-0 items-center gap-1.5">
        {/* The row reacts to the mouse; this button is for the keyboard and screen readers. */}
        <button
          type="button"
          autoFocus={autoFocus}
          // The hidden words follow the name and must be truncated with it, or they widen the table.
          className="relative -my-0.5 block min-w-0 truncate rounded-sm py-0.5 text-left font-medium hover:underline"
          title={lead.name}
        >
          {lead.name}
          <span className="sr-only">, show this attempt</span>
        </button>
        {log.resend_of !== null && (
          <span
            title="Resent: a new delivery of a lead that was sent before"
            className="inline-flex shrink-0 items-center gap-0.5 text-xs text-muted"
          >
            <RotateCw aria-hidden className="size-3" />
            Resent
          </span>
        )}
      </span>
      <span className="block truncate text-xs text-muted" title={lead.detail}>
        {lead.detail}
      </span>
    </>
  )
}

function Status({ log, wait }: { log: DeliveryLog; wait: string | null }) {
  const status = labelDeliveryStatus(log)
  return (
    <>
      <Badge tone={status.tone}>{status.label}</Badge>
      {log.outcome !== null && log.outcome !== 'accepted' && (
        <span className="ml-1.5 text-xs text-muted">{labelOutcome(log.outcome)}</span>
      )}
      {wait !== null && <span className="mt-0.5 block text-xs text-muted tabular">{wait}</span>}
    </>
  )
}

function Fault({ log }: { log: DeliveryLog }) {
  const error = log.delivery_status === 'cancelled' ? describeCancellation(log) : log.error_message
  if (error === null || error === '') {
    return (
      <span data-label="Error" className="text-muted cards:flex cards:gap-1.5 cards:text-xs cards:card-label">
        None
      </span>
    )
  }
  return (
    <span className="line-clamp-2 text-xs break-words" title={error}>
      {error}
    </span>
  )
}
