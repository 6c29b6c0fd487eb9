import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from 'react-router-dom'
import { apiPath } from '#web/api/api-path.ts'
import { ExportButton } from '#web/components/exports/ExportButton.tsx'
import { LoadFailure } from '#web/components/LoadFailure.tsx'
import { Button } from '#web/ui/action/Button.tsx'
import { settingsPath } from '#web/paths.ts'
import { buttonClass } from '#web/ui/action/button-class.ts'
import { Card } from '#web/ui/show/Card.tsx'
import { EmptyState } from '#web/ui/show/EmptyState.tsx'
import { Skeleton } from '#web/ui/wait/Skeleton.tsx'
import { Waiting } from '#web/ui/wait/Waiting.tsx'
import { ledgerQuery } from '../money-queries.ts'
import { LedgerTable } from './LedgerTable.tsx'

const FIVE = [1, 2, 3, 4, 5]

/** Lists all ledger entries, each with the balance after it. */
export function Ledger() {
  const ledger = useInfiniteQuery(ledgerQuery)
  const rows = ledger.data?.pages.flatMap(({ data }) => data)
  if (rows === undefined && ledger.isError) {
    return (
      <LoadFailure
        title="Your ledger could not be loaded."
        error={ledger.error}
        onRetry={() => void ledger.refetch()}
      />
    )
  }
  return (
    <Card
      title="Ledger"
      flush
      actions={
        rows !== undefined &&
        rows.length > 0 && (
          <span className="flex flex-wrap gap-2">
            <Link to={`${settingsPath('billing')}&statement=`} className={buttonClass('secondary', 'sm')}>
              Monthly statements
            </Link>
            <ExportButton kind="ledger" path={apiPath('ledger.csv')} name="ledger.csv" label="Download CSV" />
          </span>
        )
      }
    >
      {rows === undefined ? (
        <Waiting label="Loading the ledger" className="flex flex-col gap-3 p-4">
          {FIVE.map((row) => (
            <Skeleton key={row} className="h-6 w-full" />
          ))}
        </Waiting>
      ) : rows.length === 0 ? (
        <EmptyState title="No entries yet">
          Each payment, purchase and return appears here, with the balance after it.
        </EmptyState>
      ) : (
        <LedgerTable entries={rows} />
      )}
      {ledger.isFetchNextPageError && (
        <LoadFailure
          title="More entries could not be loaded."
          error={ledger.error}
          onRetry={() => void ledger.fetchNextPage()}
        />
      )}
      {rows !== undefined && rows.length > 0 && (
        <div className="flex min-h-12 items-center justify-between gap-4 border-t border-line px-4 py-2">
          <p role="status" className="text-xs text-muted tabular">
            {rows.length.toLocaleString('en-US')} {rows.length === 1 ? 'entry' : 'entries'} shown
            {ledger.hasNextPage ? '' : ', that is all of them'}
          </p>
          {ledger.hasNextPage && (
            <Button size="sm" busy={ledger.isFetchingNextPage} onClick={() => void ledger.fetchNextPage()}>
              Load more
            </Button>
          )}
        </div>
      )}
    </Card>
  )
}
