import { useQuery } from '@tanstack/react-query'
import { CircleCheck, CirclePause, TriangleAlert } from 'lucide-react'
import type { TroubledEndpoint } from '#core/contract/operations/dead-letter.ts'
import { troubledEndpointsQuery } from './operation-queries.ts'
import { LoadFailure } from '../components/LoadFailure.tsx'
import { Badge } from '../ui/show/Badge.tsx'
import { Card } from '../ui/show/Card.tsx'
import { CardSkeleton } from '../ui/wait/CardSkeleton.tsx'
import { EmptyState } from '../ui/show/EmptyState.tsx'
import { RelativeTime } from '../ui/show/RelativeTime.tsx'
import { Cell, HeaderCell, Row, Table, TableHead } from '../ui/show/Table.tsx'
import { ClientName } from './ClientName.tsx'
import { EndpointName } from './EndpointName.tsx'
import { RefreshFailure } from './RefreshFailure.tsx'
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
        <EmptyState icon={<CircleCheck aria-hidden />} title="Every endpoint takes its leads">
          Endpoints that fail again and again, or are held back, appear here.
        </EmptyState>
      ) : (
        <Table label="Endpoints in trouble" className="max-h-96">
          <TableHead>
            <HeaderCell>State</HeaderCell>
            <HeaderCell>Client</HeaderCell>
            <HeaderCell>Endpoint</HeaderCell>
            <HeaderCell>Failing since</HeaderCell>
            <HeaderCell numeric>Failures</HeaderCell>
            <HeaderCell numeric>Waiting</HeaderCell>
            <HeaderCell>Last reason</HeaderCell>
          </TableHead>
          <tbody>
            {rows.map((endpoint) => (
              <EndpointRow key={endpoint.webhook_config_id} endpoint={endpoint} />
            ))}
          </tbody>
        </Table>
      )}
    </Card>
  )
}

function EndpointRow({ endpoint }: { endpoint: TroubledEndpoint }) {
  return (
    <Row>
      <Cell>
        <EndpointState endpoint={endpoint} />
      </Cell>
      <Cell>
        <ClientName client={endpoint.client} />
      </Cell>
      <Cell>
        <EndpointName name={endpoint.webhook_name} host={endpoint.endpoint_host} />
      </Cell>
      <Cell>
        {endpoint.failing_since === null ? (
          <span className="text-faint">Not known</span>
        ) : (
          <RelativeTime at={endpoint.failing_since} />
        )}
      </Cell>
      <Cell numeric>{endpoint.failures_in_row.toLocaleString('en-US')}</Cell>
      <Cell numeric>{endpoint.held.toLocaleString('en-US')}</Cell>
      <Cell className="whitespace-nowrap">{reasonLabel(endpoint.last_reason)}</Cell>
    </Row>
  )
}

function EndpointState({ endpoint }: { endpoint: TroubledEndpoint }) {
  if (!endpoint.is_active) return <Badge>Switched off</Badge>
  return endpoint.breaker === 'open' ? (
    <Badge tone="failure" icon={<CirclePause aria-hidden />}>
      Held back
    </Badge>
  ) : (
    <Badge tone="waiting" icon={<TriangleAlert aria-hidden />}>
      Failing
    </Badge>
  )
}
