import type { UseInfiniteQueryResult, InfiniteData } from '@tanstack/react-query'
import { SearchX } from 'lucide-react'
import type { ReactNode } from 'react'
import { LoadFailure } from '#web/components/LoadFailure.tsx'
import { Button } from '#web/ui/action/Button.tsx'
import { Card } from '#web/ui/show/Card.tsx'
import { EmptyState } from '#web/ui/show/EmptyState.tsx'
import { exactTime } from '#web/ui/show/format-time.ts'
import { CardSkeleton } from '#web/ui/wait/CardSkeleton.tsx'
import { RefreshFailure } from './RefreshFailure.tsx'

interface Page<Item> {
  data: Item[]
  next_cursor: string | null
}

export interface PagedCardProps<Item> {
  title: string
  /** true where the page's own title or tab says the same */
  isTitleHidden?: boolean
  /** For example "The clients could not be loaded." */
  failure: string
  query: UseInfiniteQueryResult<InfiniteData<Page<Item>>>
  actions?: ReactNode
  /** Shown above the rows, also above an empty list. */
  filters?: ReactNode
  /** Clears the filters; undefined if none is set. */
  onClear?: (() => void) | undefined
  /** Older rows were not looked at yet; "Load more" does so. */
  searchedTo?: string | null | undefined
  /** Shown if there is nothing at all. */
  empty: ReactNode
  children: (items: readonly Item[]) => ReactNode
}

/** A paged list with its loading, error and empty states. */
export function PagedCard<Item>(props: PagedCardProps<Item>) {
  const {
    title,
    isTitleHidden = false,
    failure,
    query,
    actions,
    filters,
    onClear,
    searchedTo,
    empty,
    children,
  } = props
  const items = query.data?.pages.flatMap((page) => page.data)
  return (
    <Card title={title} isTitleHidden={isTitleHidden} actions={actions} flush>
      {filters !== undefined && <div className="border-b border-line px-4 py-3">{filters}</div>}
      {items === undefined ? (
        <div className="p-4">
          {query.isError ? (
            <LoadFailure title={failure} error={query.error} onRetry={() => void query.refetch()} />
          ) : (
            <CardSkeleton />
          )}
        </div>
      ) : (
        <>
          {query.isError && <RefreshFailure isBusy={query.isFetching} onRetry={() => void query.refetch()} />}
          {items.length > 0 ? (
            children(items)
          ) : onClear === undefined ? (
            empty
          ) : (
            <EmptyState
              icon={<SearchX aria-hidden />}
              title={
                typeof searchedTo === 'string'
                  ? `Nothing matches since ${exactTime(searchedTo)}`
                  : 'Nothing matches these filters'
              }
              action={<Button onClick={onClear}>Clear filters</Button>}
            />
          )}
        </>
      )}
      {query.hasNextPage && (
        <div className="flex flex-wrap items-center justify-end gap-x-4 gap-y-2 border-t border-line px-4 py-2">
          {typeof searchedTo === 'string' && (
            <p role="status" className="text-sm text-muted">
              Leads before {exactTime(searchedTo)} were not searched yet.
            </p>
          )}
          <Button size="sm" busy={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
            {typeof searchedTo === 'string' ? 'Search older leads' : 'Load more'}
          </Button>
        </div>
      )}
    </Card>
  )
}
