import { useQuery } from '@tanstack/react-query'
import { ArrowLeft } from 'lucide-react'
import { Link, useParams, useSearchParams } from 'react-router-dom'
import type { AdminClientDetail } from '#core/contract/market/admin-client.ts'
import { isNotFound } from '#web/api/errors.ts'
import { LoadFailure } from '#web/components/LoadFailure.tsx'
import { adminPath } from '#web/paths.ts'
import { TabPanel, Tabs } from '#web/ui/action/Tabs.tsx'
import { buttonClass } from '#web/ui/action/button-class.ts'
import { Card } from '#web/ui/show/Card.tsx'
import { EmptyState } from '#web/ui/show/EmptyState.tsx'
import { PageHeader } from '#web/ui/show/PageHeader.tsx'
import { CardSkeleton } from '#web/ui/wait/CardSkeleton.tsx'
import { clientQuery } from '../../admin-client-queries.ts'
import { ClientState } from './ClientState.tsx'
import { BusinessTab } from './page/BusinessTab.tsx'
import { ClientActions } from './page/ClientActions.tsx'
import { ClientAudit } from './page/ClientAudit.tsx'
import { ClientFigures } from './page/ClientFigures.tsx'
import { ClientNotes } from './page/ClientNotes.tsx'
import { ClientOrders } from './page/ClientOrders.tsx'
import { ClientPeople } from './page/ClientPeople.tsx'
import { PausedSending } from './page/PausedSending.tsx'
import { MoneyTab } from './page/MoneyTab.tsx'
import { WebhooksTab } from './page/WebhooksTab.tsx'

const TABS = [
  { value: 'business', label: 'Business', Panel: BusinessTab },
  { value: 'orders', label: 'Orders', Panel: ClientOrders },
  { value: 'webhooks', label: 'Webhooks', Panel: WebhooksTab },
  { value: 'money', label: 'Money', Panel: MoneyTab },
  { value: 'people', label: 'People', Panel: ClientPeople },
  { value: 'notes', label: 'Notes', Panel: ClientNotes },
  { value: 'audit', label: 'Audit', Panel: ClientAudit },
] as const

/** Everything about one client, and what administrators may do; `tab` in the query names what is shown. */
export function ClientPage() {
  const { id = '' } = useParams()
  const client = useQuery(clientQuery(id))
  if (client.data !== undefined) return <Shown client={client.data} />
  if (isNotFound(client.error)) return <Unknown />
  if (client.isError) {
    return (
      <LoadFailure
        title="The client could not be loaded."
        error={client.error}
        onRetry={() => void client.refetch()}
      />
    )
  }
  return <CardSkeleton />
}

function Shown({ client }: { client: AdminClientDetail }) {
  const [query, setQuery] = useSearchParams()
  const tab = TABS.find(({ value }) => value === query.get('tab'))?.value ?? 'business'
  const name = client.display_name
  return (
    <div className="flex flex-col gap-6">
      <title>{`${name} · Administration · Leadwire`}</title>
      <PageHeader
        before={<WayBack />}
        title={
          <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
            <span className="min-w-0 wrap-anywhere">{name}</span>
            <span className="inline-flex tracking-normal">
              <ClientState state={client.status} />
            </span>
          </span>
        }
        actions={<ClientActions client={client} />}
      />
      <PausedSending client={client} />
      <ClientFigures client={client} />
      <Tabs
        label="About this client"
        value={tab}
        onValueChange={(next) => setQuery({ tab: next }, { replace: true })}
        tabs={TABS}
      >
        {TABS.map(({ value, Panel }) => (
          <TabPanel key={value} value={value}>
            <Panel client={client} />
          </TabPanel>
        ))}
      </Tabs>
    </div>
  )
}

function WayBack() {
  return (
    <Link
      to={adminPath('clients')}
      className="mb-1 inline-flex min-h-6 items-center gap-1.5 rounded-sm text-sm text-muted hover:text-ink"
    >
      <ArrowLeft aria-hidden className="size-4" />
      Clients
    </Link>
  )
}

function Unknown() {
  return (
    <Card>
      <EmptyState
        title="No client has this address"
        action={
          <Link to={adminPath('clients')} className={buttonClass('primary')}>
            See all clients
          </Link>
        }
      >
        The link may be cut off, or it names another kind of account.
      </EmptyState>
    </Card>
  )
}
