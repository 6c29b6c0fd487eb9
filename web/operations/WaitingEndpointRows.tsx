import { useQuery } from '@tanstack/react-query'
import type { WaitingEndpoint } from '#core/contract/operations/waits.ts'
import { errorSentence } from '../api/errors.ts'
import { Button } from '../ui/action/Button.tsx'
import { RelativeTime } from '../ui/show/RelativeTime.tsx'
import { ColumnCells } from '../ui/show/table/DataTable.tsx'
import { Cell, Row } from '../ui/show/table/Table.tsx'
import type { TableColumn } from '../ui/show/table/table-column.ts'
import { Skeleton } from '../ui/wait/Skeleton.tsx'
import { waitsOfQuery } from './operation-queries.ts'

export interface WaitingEndpointRowsProps {
  client: string
  /** columns of the table after the name */
  counts: readonly TableColumn<WaitingEndpoint>[]
}

/** Lists a client's endpoints with waiting deliveries, each with the reason. */
export function WaitingEndpointRows({ client, counts }: WaitingEndpointRowsProps) {
  const span = counts.length + 1
  const endpoints = useQuery(waitsOfQuery(client))
  const rows = endpoints.data?.data
  if (endpoints.isError && rows === undefined) {
    return (
      <Row>
        <Cell colSpan={span} className="pl-10! cards:pl-6!">
          <span role="alert" className="flex flex-wrap items-center gap-2 text-failure">
            Its endpoints could not be loaded. {errorSentence(endpoints.error)}
            <Button size="sm" busy={endpoints.isFetching} onClick={() => void endpoints.refetch()}>
              Try again
            </Button>
          </span>
        </Cell>
      </Row>
    )
  }
  if (rows === undefined) {
    return (
      <Row>
        <Cell colSpan={span} className="pl-10! cards:pl-6!">
          <div role="status" aria-label="Loading" className="flex flex-col gap-2 py-1">
            <Skeleton className="h-3 w-40" />
            <Skeleton className="h-3 w-64" />
          </div>
        </Cell>
      </Row>
    )
  }
  if (rows.length === 0) {
    return (
      <Row>
        <Cell colSpan={span} className="pl-10! cards:pl-6! text-muted">
          Nothing of this client waits any more.
        </Cell>
      </Row>
    )
  }
  return rows.map((endpoint) => (
    <Row key={endpoint.webhook_config_id}>
      <Cell part="who" className="pl-10! cards:pl-6!">
        <div className="w-80 max-w-full cards:w-full">
          <span className="block truncate">{endpoint.webhook_name}</span>
          <span className="block truncate font-mono text-xs text-muted">{endpoint.endpoint_host}</span>
          <Reason reason={endpoint.reason} />
        </div>
      </Cell>
      <ColumnCells columns={counts} item={endpoint} />
    </Row>
  ))
}

function Reason({ reason }: { reason: WaitingEndpoint['reason'] }) {
  return (
    <span className="block text-xs">
      {reason.sentence}
      {reason.until !== null && (
        <>
          {' '}
          {reason.code === 'breaker_open' ? 'Next try: ' : 'Due: '}
          <RelativeTime at={reason.until} />
        </>
      )}
    </span>
  )
}
