import { useInfiniteQuery } from '@tanstack/react-query'
import { Send } from 'lucide-react'
import { useState } from 'react'
import { Link } from 'react-router-dom'
import { isClientEvent } from '#core/contract/events.ts'
import type { ClientWebhook } from '#core/contract/market/client-page.ts'
import type { DeliveryLog } from '#core/contract/webhooks/delivery.ts'
import { Listing } from '#web/components/admin/Listing.tsx'
import { PagedCard } from '#web/components/admin/PagedCard.tsx'
import {
  labelDeliveryStatus,
  describeLead,
  formatDuration,
  formatResponseCode,
} from '#web/components/webhook-log-cells.ts'
import { adminAttemptPath, adminItemPath, adminPath } from '#web/paths.ts'
import { buttonClass } from '#web/ui/action/button-class.ts'
import { Select } from '#web/ui/form/Select.tsx'
import { Badge } from '#web/ui/show/Badge.tsx'
import { EmptyState } from '#web/ui/show/EmptyState.tsx'
import { RelativeTime } from '#web/ui/show/RelativeTime.tsx'
import { clientDeliveriesQuery } from '../../../admin-client-queries.ts'

const STATUSES = [
  { value: '', label: 'All attempts' },
  { value: 'failed', label: 'Failed' },
  { value: 'pending', label: 'Waiting' },
  { value: 'delivered', label: 'Delivered' },
  { value: 'cancelled', label: 'Cancelled' },
]

/** The newest attempts of one of the client's webhooks. */
export function ClientDeliveries({
  client,
  webhooks,
}: {
  client: string
  webhooks: readonly ClientWebhook[]
}) {
  const [chosen, setChosen] = useState('')
  const [status, setStatus] = useState('')
  const webhook = webhooks.find(({ webhook_config_id: id }) => id === chosen) ?? webhooks[0]
  const logs = useInfiniteQuery(
    clientDeliveriesQuery(client, { webhook: webhook?.webhook_config_id ?? '', status }),
  )
  return (
    <PagedCard
      title="Deliveries"
      failure="The deliveries could not be loaded."
      query={logs}
      actions={
        <Link
          to={`${adminPath('deliveries')}?${new URLSearchParams({ client })}`}
          className={buttonClass('quiet', 'sm')}
        >
          All failed deliveries
        </Link>
      }
      filters={
        <div className="flex flex-wrap gap-2">
          <Select
            aria-label="Webhook"
            value={webhook?.webhook_config_id ?? ''}
            onValueChange={setChosen}
            options={webhooks.map(({ webhook_config_id: value, webhook_name: label }) => ({ value, label }))}
            className="w-auto! max-w-full min-w-[min(13rem,100%)]"
          />
          <Select
            aria-label="Result"
            value={status}
            onValueChange={setStatus}
            options={STATUSES}
            className="w-auto! min-w-[min(10rem,100%)]"
          />
        </div>
      }
      onClear={status === '' ? undefined : () => setStatus('')}
      empty={
        <EmptyState icon={<Send aria-hidden />} title="No deliveries yet">
          A lead that is sent to this webhook appears here with every attempt.
        </EmptyState>
      }
    >
      {(items) => (
        <Listing
          label="Deliveries"
          items={items}
          keyOf={({ id }) => id}
          columns={[
            { header: 'Lead', render: (log) => <LeadOf log={log} /> },
            { header: 'Status', part: 'how', render: (log) => <Status log={log} /> },
            { header: 'Response', numeric: true, render: (log) => formatResponseCode(log.response_status) },
            { header: 'Attempt', numeric: true, render: (log) => <Attempt log={log} /> },
            { header: 'Duration', numeric: true, render: (log) => formatDuration(log.processing_time_ms) },
            { header: 'When', part: 'when', render: ({ created_at: at }) => <RelativeTime at={at} /> },
          ]}
        />
      )}
    </PagedCard>
  )
}

function LeadOf({ log }: { log: DeliveryLog }) {
  const { name, detail } = describeLead(log)
  return (
    <span className="block max-w-60">
      {log.lead_id === null ? (
        <span className="block truncate">{name}</span>
      ) : (
        <Link
          to={adminItemPath('leads', log.lead_id)}
          className="-my-0.5 block max-w-full min-w-6 truncate rounded-sm py-0.5 hover:underline"
        >
          {name}
        </Link>
      )}
      <span className="block truncate text-xs font-normal text-muted">{detail}</span>
    </span>
  )
}

/** The number of the attempt, which opens it on the lead's page; that page has none of an event beside it. */
function Attempt({
  log: { id, lead_id: lead, event_type: type, attempt_number: number },
}: {
  log: DeliveryLog
}) {
  if (lead === null || isClientEvent(type)) return number
  return (
    <Link
      to={adminAttemptPath(lead, id)}
      className="-my-1 inline-flex min-h-6 min-w-6 items-center justify-end rounded-sm text-accent-strong hover:underline"
    >
      <span className="sr-only">Show attempt </span>
      {number}
    </Link>
  )
}

function Status({ log }: { log: DeliveryLog }) {
  const { label, tone } = labelDeliveryStatus(log)
  return (
    <span className="block max-w-72">
      <Badge tone={tone}>{label}</Badge>
      {log.error_message !== null && (
        <span className="block text-xs break-words text-muted">{log.error_message}</span>
      )}
    </span>
  )
}
