import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { Inbox, SearchX } from 'lucide-react'
import { useState } from 'react'
import { useSearchParams } from 'react-router-dom'
import { DEAD_LETTERS_COUNTED } from '#core/contract/operations/dead-letter.ts'
import { deadLettersQuery, deadLetterSummaryQuery, type DeadLetterFilters } from './operation-queries.ts'
import { LoadFailure } from '../components/LoadFailure.tsx'
import { formatCount } from '../format/count-of.ts'
import { Button } from '../ui/action/Button.tsx'
import { Card } from '../ui/show/Card.tsx'
import { CardSkeleton } from '../ui/wait/CardSkeleton.tsx'
import { EmptyState } from '../ui/show/EmptyState.tsx'
import { DeadLetterFilterBar } from './DeadLetterFilterBar.tsx'
import { DeadLetterTable } from './DeadLetterTable.tsx'
import { RedriveDialog } from './RedriveDialog.tsx'
import { RefreshFailure } from '../components/admin/RefreshFailure.tsx'
import { useRedrive } from './use-redrive.ts'

const NO_FILTERS: DeadLetterFilters = { reason: '', client: '' }

export function DeadLetters() {
  // The page of a client links here with the client's id.
  const [query] = useSearchParams()
  const [filters, setFilters] = useState({ ...NO_FILTERS, client: query.get('client') ?? '' })
  const [clientName, setClientName] = useState('One client')
  const [chosen, setSelected] = useState<ReadonlySet<string>>(new Set())
  const summary = useQuery(deadLetterSummaryQuery)
  const letters = useInfiniteQuery(deadLettersQuery(filters))
  const redrive = useRedrive(() => setSelected(new Set()))
  const rows = letters.data?.pages.flatMap((page) => page.data)
  const isFiltered = filters.reason !== '' || filters.client !== ''
  const total = summary.data?.total
  // Drops selected rows that somebody else has resent meanwhile.
  const selected = new Set((rows ?? []).flatMap(({ id }) => (chosen.has(id) ? [id] : [])))
  const change = (next: DeadLetterFilters) => {
    const client = summary.data?.clients.find(({ user_id }) => user_id === next.client)
    if (client !== undefined) setClientName(client.name)
    setFilters(next)
    setSelected(new Set())
  }

  if (letters.isError && rows === undefined) {
    return (
      <LoadFailure
        title="The dead letters could not be loaded."
        error={letters.error}
        onRetry={() => void letters.refetch()}
      />
    )
  }
  if (rows === undefined) return <CardSkeleton />
  return (
    <Card
      title={
        <span className="flex items-baseline gap-2">
          Dead letters
          <span className="text-xs font-normal text-muted tabular">
            {total === undefined ? '–' : formatCount(total, total >= DEAD_LETTERS_COUNTED)}
          </span>
        </span>
      }
      flush
    >
      {(letters.isError || summary.isError) && (
        <RefreshFailure
          isBusy={letters.isFetching || summary.isFetching}
          onRetry={() => void Promise.all([letters.refetch(), summary.refetch()])}
        />
      )}
      {(rows.length > 0 || isFiltered) && (
        <DeadLetterFilterBar
          filters={filters}
          clientName={clientName}
          summary={summary.data}
          onChange={change}
          selected={selected.size}
          isEmpty={rows.length === 0}
          isBusy={redrive.isCounting}
          onSend={() => redrive.ask(selected.size > 0 ? { ids: [...selected] } : { filter: filters })}
        />
      )}
      {rows.length > 0 ? (
        <DeadLetterTable
          letters={rows}
          selected={selected}
          onSelect={setSelected}
          onSend={(id) => redrive.ask({ ids: [id] })}
        />
      ) : isFiltered ? (
        <EmptyState
          icon={<SearchX aria-hidden />}
          title="No dead letters match these filters"
          action={<Button onClick={() => change(NO_FILTERS)}>Clear filters</Button>}
        />
      ) : (
        <EmptyState icon={<Inbox aria-hidden />} title="No dead letters">
          A delivery that fails after its last attempt appears here, until it is sent again.
        </EmptyState>
      )}
      {letters.hasNextPage && (
        <div className="flex justify-end border-t border-line px-4 py-2">
          <Button size="sm" busy={letters.isFetchingNextPage} onClick={() => void letters.fetchNextPage()}>
            Load more
          </Button>
        </div>
      )}
      <RedriveDialog
        counted={redrive.asked?.counted}
        isByHand={redrive.asked !== undefined && 'ids' in redrive.asked.choice}
        busy={redrive.isSending}
        onConfirm={redrive.confirm}
        onCancel={redrive.cancel}
      />
    </Card>
  )
}
