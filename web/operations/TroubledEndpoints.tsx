import { useQuery } from '@tanstack/react-query'
import { CircleCheck } from 'lucide-react'
import type { TroubledEndpoint } from '#core/contract/operations/dead-letter.ts'
import { troubledEndpointsQuery } from './operation-queries.ts'
import { EndpointState } from '../components/EndpointState.tsx'
import { STANDING_WORDS } from '../components/EndpointTrouble.tsx'
import { LoadFailure } from '../components/LoadFailure.tsx'
import { formatCount } from '../format/count-of.ts'
import { Card } from '../ui/show/Card.tsx'
import { CardSkeleton } from '../ui/wait/CardSkeleton.tsx'
import { EmptyState } from '../ui/show/EmptyState.tsx'
import { RelativeTime } from '../ui/show/RelativeTime.tsx'
import { DataTable } from '../ui/show/table/DataTable.tsx'
import type { TableColumn } from '../ui/show/table/table-column.ts'
import { ClientName } from '../components/admin/ClientName.tsx'
import { EndpointName } from './EndpointName.tsx'
import { RefreshFailure } from '../components/admin/RefreshFailure.tsx'
import { reasonLabel } from './reason-label.ts'

export function TroubledEndpoints() {
  const endpoints = useQuery(troubledEndpointsQuery)
  const rows = endpoints.data?.data
  if (endpoints.isError && rows === undefined) {
    return (
      <LoadFailure
        title="The endpoints could not be loaded."
        error={endpoints.error}
        onRetry={() => void endpoints.refetch()}
      />
    )
  }
  if (rows === undefined) return <CardSkeleton />
  return (
    <Card title="Endpoints" flush>
      {endpoints.isError && (
        <RefreshFailure isBusy={endpoints.isFetching} onRetry={() => void endpoints.refetch()} />
      )}
      {rows.length === 0 ? (
        <EmptyState icon={<CircleCheck aria-hidden />} title="All endpoints accept their leads">
          Endpoints that fail again and again, are held back or were switched off appear here.
        </EmptyState>
      ) : (
        <DataTable
          label="Endpoints in trouble"
          className="sm:max-h-96"
          columns={COLUMNS}
          items={rows}
          keyOf={(endpoint) => endpoint.webhook_config_id}
        />
      )}
    </Card>
  )
}

const COLUMNS: readonly TableColumn<TroubledEndpoint>[] = [
  {
    header: 'Status',
    part: 'how',
    className: 'whitespace-nowrap',
    render: (endpoint) => (
      <>
        <EndpointState config={endpoint} health={endpoint} />{' '}
        <span className="text-xs text-muted">{describeStanding(endpoint)}</span>
      </>
    ),
  },
  { header: 'Client', part: 'who', render: ({ client }) => <ClientName client={client} /> },
  {
    header: 'Endpoint',
    part: 'note',
    render: (endpoint) => <EndpointName name={endpoint.webhook_name} host={endpoint.endpoint_host} />,
  },
  {
    header: 'Failing since',
    part: 'figure',
    render: ({ failing_since: since }) =>
      since === null ? <span className="text-faint">Not known</span> : <RelativeTime at={since} />,
  },
  {
    header: 'Failures',
    part: 'figure',
    numeric: true,
    render: (endpoint) => endpoint.failures_in_row.toLocaleString('en-US'),
  },
  {
    header: 'Waiting',
    part: 'figure',
    numeric: true,
    render: ({ waiting, waiting_more: more }) => formatCount(waiting, more),
  },
  {
    header: 'Last reason',
    part: 'brief',
    render: (endpoint) => reasonLabel(endpoint.last_reason),
  },
]

/**
 * Says what the badge does not: an open breaker holds due deliveries and lets one through at a time as a
 * probe.
 */
function describeStanding({ standing, breaker }: TroubledEndpoint) {
  if (standing === 'inactive') return ''
  return breaker === 'open' ? `${STANDING_WORDS[standing]}, held back` : STANDING_WORDS[standing]
}
