import { useQuery } from '@tanstack/react-query'
import { Webhook } from 'lucide-react'
import type { AdminClientDetail } from '#core/contract/market/admin-client.ts'
import type { ClientWebhook } from '#core/contract/market/client-page.ts'
import { LoadFailure } from '#web/components/LoadFailure.tsx'
import { Listing } from '#web/components/admin/Listing.tsx'
import { wordErrorClass } from '#web/components/error-class-words.ts'
import { formatCount } from '#web/format/count-of.ts'
import { formatRate } from '#web/format/format-rate.ts'
import { Badge } from '#web/ui/show/Badge.tsx'
import { Card } from '#web/ui/show/Card.tsx'
import { EmptyState } from '#web/ui/show/EmptyState.tsx'
import { RelativeTime } from '#web/ui/show/RelativeTime.tsx'
import type { Tone } from '#web/ui/show/tone.ts'
import { CardSkeleton } from '#web/ui/wait/CardSkeleton.tsx'
import { clientWebhooksQuery } from '../../../admin-client-queries.ts'
import { ClientDeliveries } from './ClientDeliveries.tsx'
import { SendingActions } from './SendingActions.tsx'

const STANDING: Readonly<Record<ClientWebhook['standing'], { label: string; tone: Tone }>> = {
  unused: { label: 'Not used yet', tone: 'neutral' },
  healthy: { label: 'Healthy', tone: 'success' },
  failing: { label: 'Failing', tone: 'failure' },
  switched_off: { label: 'Switched off by Leadwire', tone: 'failure' },
  inactive: { label: 'Switched off by the client', tone: 'neutral' },
}

/** The client's webhooks with their health, and the deliveries to each. */
export function WebhooksTab({ client }: { client: AdminClientDetail }) {
  const { user_id: id } = client
  const webhooks = useQuery(clientWebhooksQuery(id))
  if (webhooks.data === undefined) {
    return webhooks.isError ? (
      <LoadFailure
        title="The webhooks could not be loaded."
        error={webhooks.error}
        onRetry={() => void webhooks.refetch()}
      />
    ) : (
      <CardSkeleton />
    )
  }
  const { data } = webhooks.data
  if (data.length === 0) {
    return (
      <Card title="Webhooks">
        <EmptyState icon={<Webhook aria-hidden />} title="No webhooks yet">
          The client has not connected a CRM, so leads are only shown on the client’s own screens.
        </EmptyState>
      </Card>
    )
  }
  return (
    <div className="flex flex-col gap-6">
      <Card title="Webhooks" actions={<SendingActions client={client} webhooks={data} />} flush>
        <Webhooks webhooks={data} />
      </Card>
      <ClientDeliveries client={id} webhooks={data} />
    </div>
  )
}

function Webhooks({ webhooks }: { webhooks: readonly ClientWebhook[] }) {
  return (
    <Listing
      label="Webhooks"
      items={webhooks}
      keyOf={({ webhook_config_id: id }) => id}
      columns={[
        { header: 'Webhook', render: (webhook) => <Name webhook={webhook} /> },
        { header: 'Status', part: 'how', render: (webhook) => <Standing webhook={webhook} /> },
        {
          header: 'Success, 24 h',
          numeric: true,
          render: ({ day: { success_rate: rate } }) => (rate === null ? null : formatRate(rate)),
        },
        {
          header: 'Waiting',
          numeric: true,
          render: ({ waiting, waiting_more: more }) => (waiting === 0 ? null : formatCount(waiting, more)),
        },
        {
          header: 'Failed, 24 h',
          numeric: true,
          render: ({ day: { lost } }) => (lost === 0 ? null : formatCount(lost)),
        },
        {
          header: 'Last success',
          render: ({ last_success_at: at }) => (at === null ? null : <RelativeTime at={at} />),
        },
      ]}
    />
  )
}

function Name({ webhook: { webhook_name: name, endpoint_host: host } }: { webhook: ClientWebhook }) {
  return (
    <span className="block max-w-60">
      <span className="block truncate" title={name}>
        {name}
      </span>
      <span className="block truncate text-xs font-normal text-muted" title={host}>
        {host}
      </span>
    </span>
  )
}

function Standing({ webhook }: { webhook: ClientWebhook }) {
  const { label, tone } = STANDING[webhook.standing]
  const why = webhook.disabled_reason ?? sayFailure(webhook)
  return (
    <span className="block max-w-72">
      <Badge tone={tone}>{label}</Badge>
      {why !== null && <span className="block text-xs break-words text-muted">{why}</span>}
    </span>
  )
}

function sayFailure({ standing, last_status: status, last_error_class: kind }: ClientWebhook): string | null {
  if (standing !== 'failing') return null
  return wordErrorClass(kind ?? '') ?? (status === null ? 'No answer' : `Answered ${status}`)
}
