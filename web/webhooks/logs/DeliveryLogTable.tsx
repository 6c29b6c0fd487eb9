import { RotateCw } from 'lucide-react'
import type { ReactNode, RefObject } from 'react'
import type { DeliveryLog } from '#core/contract/webhooks/delivery.ts'
import { describeCancellation } from '#web/components/describe-cancellation.ts'
import { labelDeliveryStatus } from '#web/components/webhook-delivery-status.ts'
import {
  describeLead,
  formatDuration,
  formatResponseCode,
  labelOutcome,
} from '#web/components/webhook-log-cells.ts'
import { Badge } from '#web/ui/show/Badge.tsx'
import { exactTime } from '#web/ui/show/format-time.ts'
import { Cell, HeaderCell, Row, Table, TableHead } from '#web/ui/show/Table.tsx'
import { describeWait } from './describe-wait.ts'
import { LogRowMenu } from './LogRowMenu.tsx'
import type { DeliveryActions } from './use-delivery-actions.tsx'

export interface DeliveryLogTableProps {
  /** Newest first. */
  logs: readonly DeliveryLog[]
  /** When the rows were fetched; waits are counted from it. */
  now: Date
  isWebhookActive: boolean
  actions: DeliveryActions
  /** The attempt that was on screen before; its row takes the focus back. */
  returnedFrom: string | null
  onOpenAttempt: (logId: string) => void
  /** Marks the top of the rows. */
  top: RefObject<HTMLDivElement | null>
  /** Stands under the last row and scrolls with it. */
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
  return (
    <Table
      label="Delivery logs"
      before={<div ref={top} aria-hidden className="absolute top-0 h-px w-px" />}
      after={end}
      className="min-h-0 flex-1 sm:[overflow-anchor:none] [&_:is(td,th):first-child]:pl-5 [&_:is(td,th):last-child]:pr-3"
    >
      <TableHead>
        {/* A width that no row changes, so that the columns stay where they are while rows come and go. */}
        <HeaderCell className="w-60">Lead</HeaderCell>
        <HeaderCell className="w-36">Status</HeaderCell>
        <HeaderCell numeric>Response code</HeaderCell>
        <HeaderCell numeric>Attempt</HeaderCell>
        <HeaderCell numeric className="w-24">
          Duration
        </HeaderCell>
        <HeaderCell>Timestamp</HeaderCell>
        <HeaderCell className="w-80">Error</HeaderCell>
        <HeaderCell className="right-0 w-12">
          <span className="sr-only">Actions</span>
        </HeaderCell>
      </TableHead>
      <tbody>
        {logs.map((log) => (
          <LogRow
            key={log.id}
            {...row}
            log={log}
            wait={describeWait(log, logs, row.isWebhookActive, row.now)}
            autoFocus={log.id === returnedFrom}
            onOpen={() => onOpenAttempt(log.id)}
          />
        ))}
      </tbody>
    </Table>
  )
}

interface LogRowProps {
  log: DeliveryLog
  now: Date
  isWebhookActive: boolean
  actions: DeliveryActions
  wait: string | null
  autoFocus: boolean
  onOpen: () => void
}

function LogRow({ log, now, isWebhookActive, actions, wait, autoFocus, onOpen }: LogRowProps) {
  const lead = describeLead(log)
  const status = labelDeliveryStatus(log)
  const error = log.delivery_status === 'cancelled' ? describeCancellation(log) : log.error_message
  return (
    <Row onClick={onOpen} className="group cursor-pointer">
      <Cell className="max-w-36 min-w-32 sm:max-w-60 sm:min-w-44">
        <span className="flex min-w-0 items-center gap-1.5">
          {/* The row is for the mouse; this button is its door for the keyboard and for screen readers. */}
          <button
            type="button"
            autoFocus={autoFocus}
            className="block min-w-0 truncate rounded-sm text-left font-medium hover:underline"
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
      </Cell>
      <Cell className="whitespace-nowrap">
        <Badge tone={status.tone}>{status.label}</Badge>
        {log.outcome !== null && log.outcome !== 'accepted' && (
          <span className="ml-1.5 text-xs text-muted">{labelOutcome(log.outcome)}</span>
        )}
        {wait !== null && <span className="mt-0.5 block text-xs text-muted tabular">{wait}</span>}
      </Cell>
      <Cell numeric>{formatResponseCode(log.response_status)}</Cell>
      <Cell numeric>{log.attempt_number}</Cell>
      <Cell numeric className="whitespace-nowrap">
        {formatDuration(log.processing_time_ms)}
      </Cell>
      <Cell className="whitespace-nowrap text-muted tabular">
        <time dateTime={log.created_at} title={new Date(log.created_at).toISOString()}>
          {exactTime(log.created_at)}
        </time>
      </Cell>
      <Cell className="max-w-72 min-w-56">
        {error === null || error === '' ? (
          <span className="text-muted">None</span>
        ) : (
          <span className="line-clamp-2 text-xs break-words" title={error}>
            {error}
          </span>
        )}
      </Cell>
      {/* Stays in sight while the columns are scrolled. */}
      <Cell className="sticky right-0 bg-surface text-right group-hover:bg-hover">
        {/* What is pressed in the menu is not a press on the row; React lets it through the portal all the same. */}
        <span role="presentation" className="shrink-0" onClick={(event) => event.stopPropagation()}>
          <LogRowMenu
            log={log}
            isWebhookActive={isWebhookActive}
            now={now}
            actions={actions}
            onOpen={onOpen}
          />
        </span>
      </Cell>
    </Row>
  )
}
