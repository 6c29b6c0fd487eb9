import type { LeadDetail } from '#core/contract/leads/lead.ts'
import { describeCancellation } from '../components/describe-cancellation.ts'
import { labelDeliveryStatus } from '../components/webhook-delivery-status.ts'
import { formatDuration, formatResponseCode, labelOutcome } from '../components/webhook-log-cells.ts'
import { Badge } from '../ui/show/Badge.tsx'
import { Card } from '../ui/show/Card.tsx'
import { EmptyState } from '../ui/show/EmptyState.tsx'
import { RelativeTime } from '../ui/show/RelativeTime.tsx'
import { Cell, HeaderCell, Row, Table, TableHead } from '../ui/show/Table.tsx'

type Attempt = LeadDetail['deliveries'][number]

export function LeadDeliveries({ deliveries }: { deliveries: readonly Attempt[] }) {
  return (
    <Card title="Delivery attempts" flush>
      {deliveries.length === 0 ? (
        <EmptyState title="No delivery attempts">
          An attempt shows here when a webhook of yours is triggered by this lead.
        </EmptyState>
      ) : (
        <Table label="Delivery attempts" className="max-h-[28rem]">
          <TableHead>
            <HeaderCell>Webhook</HeaderCell>
            <HeaderCell>Event</HeaderCell>
            <HeaderCell>Status</HeaderCell>
            <HeaderCell numeric>Response</HeaderCell>
            <HeaderCell numeric>Attempt</HeaderCell>
            <HeaderCell numeric>Duration</HeaderCell>
            <HeaderCell>Time</HeaderCell>
            <HeaderCell>Error</HeaderCell>
          </TableHead>
          <tbody>
            {deliveries.map((attempt) => (
              <AttemptRow key={attempt.id} attempt={attempt} />
            ))}
          </tbody>
        </Table>
      )}
    </Card>
  )
}

function AttemptRow({ attempt }: { attempt: Attempt }) {
  const status = labelDeliveryStatus(attempt)
  return (
    <Row>
      <Cell className="max-w-56 truncate">{attempt.webhook_name ?? 'Deleted webhook'}</Cell>
      <Cell className="font-mono text-xs whitespace-nowrap">{attempt.event_type}</Cell>
      <Cell>
        <Badge tone={status.tone}>{status.label}</Badge>
        <Answer attempt={attempt} />
      </Cell>
      <Cell numeric>{formatResponseCode(attempt.response_status)}</Cell>
      <Cell numeric>{attempt.attempt_number}</Cell>
      <Cell numeric>{formatDuration(attempt.processing_time_ms)}</Cell>
      <Cell>
        <RelativeTime exact at={attempt.created_at} />
      </Cell>
      <Cell className="min-w-72 text-muted">
        {attempt.delivery_status === 'cancelled'
          ? describeCancellation(attempt)
          : (attempt.error_message ?? 'None')}
      </Cell>
    </Row>
  )
}

/** What the answer said, and under which id the receiver has the lead. */
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
