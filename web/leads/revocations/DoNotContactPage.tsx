import { useInfiniteQuery } from '@tanstack/react-query'
import { ShieldCheck } from 'lucide-react'
import { useRef } from 'react'
import { useSearchParams } from 'react-router-dom'
import { LoadFailure } from '../../components/LoadFailure.tsx'
import { Button } from '../../ui/action/Button.tsx'
import { Select } from '../../ui/form/Select.tsx'
import { Card } from '../../ui/show/Card.tsx'
import { EmptyState } from '../../ui/show/EmptyState.tsx'
import { PageHeader } from '../../ui/show/PageHeader.tsx'
import { CardSkeleton } from '../../ui/wait/CardSkeleton.tsx'
import { OwnRevocations } from './OwnRevocations.tsx'
import { ownRevocationsQuery } from './revocation-queries.ts'

const SHOWN = [
  { value: 'open', label: 'To acknowledge' },
  { value: 'all', label: 'All' },
]

/** The leads whose persons revoked consent: what is to be acknowledged, and what was. */
export function DoNotContactPage() {
  const [search, setSearch] = useSearchParams()
  const shown = search.get('show') === 'all' ? 'all' : 'open'
  const query = useInfiniteQuery(ownRevocationsQuery(shown === 'open' ? { open: 'true' } : {}))
  const rows = query.data?.pages.flatMap(({ data }) => data)
  const list = useRef<HTMLElement>(null)
  return (
    <div className="flex flex-col gap-6">
      <title>Do not contact · Leadwire</title>
      <PageHeader
        title="Do not contact"
        description="These persons revoked consent. Stop contacting them everywhere, then acknowledge."
        actions={
          <Select
            aria-label="Shown"
            value={shown}
            onValueChange={(show) => setSearch({ show })}
            options={SHOWN}
            className="w-auto! min-w-40"
          />
        }
      />
      {query.isError && rows === undefined ? (
        <LoadFailure
          title="The list could not be loaded."
          error={query.error}
          onRetry={() => void query.refetch()}
        />
      ) : rows === undefined ? (
        <CardSkeleton />
      ) : (
        <Card ref={list} tabIndex={-1} title="Leads" isTitleHidden flush className="outline-none">
          {rows.length === 0 ? (
            <EmptyState
              icon={<ShieldCheck aria-hidden />}
              title={shown === 'open' ? 'Nothing to acknowledge' : 'Nobody revoked consent'}
            >
              When a person revokes consent for one of your leads, it is listed here.
            </EmptyState>
          ) : (
            <OwnRevocations rows={rows} onAcknowledged={() => list.current?.focus()} />
          )}
          {query.hasNextPage && (
            <div className="border-t border-line p-3">
              <Button size="sm" busy={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
                Load more
              </Button>
            </div>
          )}
        </Card>
      )}
      {query.isFetchNextPageError && (
        <LoadFailure
          title="More leads could not be loaded."
          error={query.error}
          onRetry={() => void query.fetchNextPage()}
        />
      )}
    </div>
  )
}
