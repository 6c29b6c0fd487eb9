import type { DeliveryLog } from '../../../../core/contract/delivery.ts'
import { labelDeliveryStatus } from '../../../components/webhook-delivery-status.ts'
import {
  describeLead,
  describeNextAttempt,
  formatDuration,
  formatResponseCode,
} from '../../../components/webhook-log-cells.ts'
import { Badge } from '../../../ui/Badge.tsx'
import { exactTime } from '../../../ui/format-time.ts'
import { Cell, HeaderCell, Row, Table, TableHead } from '../../../ui/Table.tsx'

export interface DeliveryLogTableProps {
  /** Newest first. */
  logs: readonly DeliveryLog[]
  /** When the rows were fetched; waits are counted from it. */
  now: Date
  /** The attempt that was on screen before; its row takes the focus back. */
  returnedFrom: string | null
  onOpenAttempt: (logId: string) => void
}

export function DeliveryLogTable({ logs, now, returnedFrom, onOpenAttempt }: DeliveryLogTableProps) {
  return (
    <Table
      label="Delivery logs"
      className="sm:max-h-[max(16rem,calc(min(46rem,100dvh-9rem)-4.75rem))] [&_:is(td,th):first-child]:pl-5 [&_:is(td,th):last-child]:pr-5"
    >
      <TableHead>
        <HeaderCell>Lead</HeaderCell>
        <HeaderCell>Status</HeaderCell>
        <HeaderCell numeric>Response code</HeaderCell>
        <HeaderCell numeric>Attempt</HeaderCell>
        <HeaderCell numeric>Duration</HeaderCell>
        <HeaderCell>Timestamp</HeaderCell>
        <HeaderCell>Error</HeaderCell>
      </TableHead>
      <tbody>
        {logs.map((log) => (
          <LogRow
            key={log.id}
            log={log}
            wait={describeNextAttempt(log, logs, now)}
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
  wait: string | null
  autoFocus: boolean
  onOpen: () => void
}

function LogRow({ log, wait, autoFocus, onOpen }: LogRowProps) {
  const lead = describeLead(log)
  const status = labelDeliveryStatus(log)
  return (
    <Row onClick={onOpen} className="cursor-pointer">
      <Cell className="max-w-60 min-w-40">
        {/* The row is for the mouse; this button is its door for the keyboard and for screen readers. */}
        <button
          type="button"
          autoFocus={autoFocus}
          className="block max-w-full truncate rounded-sm text-left font-medium hover:underline"
          title={lead.name}
        >
          {lead.name}
          <span className="sr-only">, show this attempt</span>
        </button>
        <span className="block truncate text-xs text-muted" title={lead.detail}>
          {lead.detail}
        </span>
      </Cell>
      <Cell className="whitespace-nowrap">
        <Badge tone={status.tone}>{status.label}</Badge>
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
      <Cell className="max-w-72 min-w-48">
        {log.error_message === null || log.error_message === '' ? (
          <span className="text-muted">None</span>
        ) : (
          <span className="line-clamp-2 text-xs break-words" title={log.error_message}>
            {log.error_message}
          </span>
        )}
      </Cell>
    </Row>
  )
}
