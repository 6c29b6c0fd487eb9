import { useQuery } from '@tanstack/react-query'
import { CircleCheck } from 'lucide-react'
import { useState } from 'react'
import { useSearchParams } from 'react-router-dom'
import type { Waits } from '#core/contract/operations/waits.ts'
import { LoadFailure } from '../components/LoadFailure.tsx'
import { countOf } from '../format/count-of.ts'
import { Card } from '../ui/show/Card.tsx'
import { EmptyState } from '../ui/show/EmptyState.tsx'
import { DataTable } from '../ui/show/table/DataTable.tsx'
import { CardSkeleton } from '../ui/wait/CardSkeleton.tsx'
import { waitsQuery } from './operation-queries.ts'
import { RefreshFailure } from '../components/admin/RefreshFailure.tsx'
import { listWaitColumns } from './wait-columns.tsx'
import { WaitingClientToggle } from './WaitingClientToggle.tsx'
import { WaitingEndpointRows } from './WaitingEndpointRows.tsx'

/**
 * Lists clients with due deliveries that have not begun, with the slots they hold. An opened client shows the
 * reasons.
 */
export function WaitingClients() {
  const waits = useQuery(waitsQuery)
  const [search] = useSearchParams()
  const [opened, setOpened] = useState<ReadonlySet<string>>(new Set(search.getAll('client')))
  const toggle = (id: string) => {
    const next = new Set(opened)
    if (!next.delete(id)) next.add(id)
    setOpened(next)
  }
  if (waits.isError && waits.data === undefined) {
    return (
      <LoadFailure
        title="Who is waiting could not be loaded."
        error={waits.error}
        onRetry={() => void waits.refetch()}
      />
    )
  }
  if (waits.data === undefined) return <CardSkeleton />
  const { data: rows, workers } = waits.data
  const counts = listWaitColumns(workers?.slots)
  return (
    <Card
      title={
        <span className="flex flex-wrap items-baseline gap-x-2">
          Who is waiting
          <span className="text-xs font-normal text-muted tabular">{summarise(waits.data)}</span>
        </span>
      }
      flush
    >
      {waits.isError && <RefreshFailure isBusy={waits.isFetching} onRetry={() => void waits.refetch()} />}
      {rows.length === 0 ? (
        <EmptyState icon={<CircleCheck aria-hidden />} title="Nobody is waiting">
          Clients whose deliveries are due and have not begun appear here, with the reason.
        </EmptyState>
      ) : (
        <DataTable
          label="Who is waiting"
          className="sm:max-h-[32rem]"
          items={rows}
          keyOf={({ client }) => client.user_id}
          columns={[
            {
              header: 'Client',
              part: 'who',
              className: 'py-0!',
              render: ({ client }) => (
                <WaitingClientToggle
                  client={client}
                  isOpen={opened.has(client.user_id)}
                  onToggle={() => toggle(client.user_id)}
                />
              ),
            },
            ...counts,
          ]}
          renderBelow={({ client: { user_id: id } }) =>
            opened.has(id) && <WaitingEndpointRows client={id} counts={counts} />
          }
        />
      )}
    </Card>
  )
}

function summarise({ clients, workers }: Waits): string {
  const running = workers === null ? 'workers not known' : `${countOf(workers.count, 'worker')} running`
  return clients === 0 ? running : `${countOf(clients, 'client')} · ${running}`
}
