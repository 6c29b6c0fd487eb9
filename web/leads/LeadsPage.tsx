import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { SearchX } from 'lucide-react'
import { useEffect } from 'react'
import { Link } from 'react-router-dom'
import { NO_FILTERS } from './lead-filters.ts'
import { shortenLists } from './keep-lists.ts'
import { leadsQuery } from './lead-queries.ts'
import { LoadFailure } from '../components/LoadFailure.tsx'
import { OrdersLink } from '../components/OrdersLink.tsx'
import { NoLeadsYet } from '../components/NoLeadsYet.tsx'
import { useLeadFilters } from './use-lead-filters.ts'
import { PATHS } from '../paths.ts'
import { Button } from '../ui/action/Button.tsx'
import { buttonClass } from '../ui/action/button-class.ts'
import { Card } from '../ui/show/Card.tsx'
import { EmptyState } from '../ui/show/EmptyState.tsx'
import { PageHeader } from '../ui/show/PageHeader.tsx'
import { LeadFilterBar } from './LeadFilterBar.tsx'
import { ColumnsMenu } from './list/ColumnsMenu.tsx'
import { ListActions } from './list/ListActions.tsx'
import { useLeadColumns } from './list/use-lead-columns.ts'
import { LeadTable } from './LeadTable.tsx'
import { LeadTableSkeleton } from './LeadTableSkeleton.tsx'

export function LeadsPage() {
  const { filters, change, isFiltered } = useLeadFilters()
  const leads = useInfiniteQuery(leadsQuery(filters))
  const rows = leads.data?.pages.flatMap((page) => page.data)
  const queryClient = useQueryClient()
  useEffect(() => () => shortenLists(queryClient), [queryClient])
  // Read during the render, because React Query re-renders only for the properties that were read. In a
  // callback alone they would be stale.
  const { hasNextPage, isFetching, isFetchNextPageError } = leads
  const readOn = (): void => {
    if (!hasNextPage || isFetching || isFetchNextPageError) return
    void leads.fetchNextPage({ cancelRefetch: false })
  }
  const { shown, toggle } = useLeadColumns()
  const clear = () => change(NO_FILTERS)

  return (
    <div className="flex flex-col gap-6">
      <title>Leads · Leadwire</title>
      <PageHeader
        title="Leads"
        actions={
          <>
            <OrdersLink />
            <Link to={PATHS.doNotContact} className={`${buttonClass('secondary')} max-sm:hidden`}>
              Do not contact
            </Link>
            <ColumnsMenu shown={shown} onToggle={toggle} />
            <ListActions filters={filters} leads={rows} />
          </>
        }
      />
      <div className="flex flex-col gap-3">
        <LeadFilterBar filters={filters} isFiltered={isFiltered} onChange={change} />
        {leads.isError && rows === undefined ? (
          <LoadFailure
            title="The leads could not be loaded."
            error={leads.error}
            onRetry={() => void leads.refetch()}
          />
        ) : (
          <Card flush>
            {rows === undefined ? (
              <LeadTableSkeleton />
            ) : rows.length > 0 ? (
              <LeadTable
                leads={rows}
                columns={shown}
                sort={filters.sort}
                onSort={(sort) => change({ sort })}
                onNearEnd={readOn}
              />
            ) : isFiltered ? (
              <EmptyState
                icon={<SearchX aria-hidden />}
                title="No leads match these filters"
                action={<Button onClick={clear}>Clear filters</Button>}
              />
            ) : (
              <NoLeadsYet />
            )}
          </Card>
        )}
        {isFetchNextPageError && (
          <LoadFailure
            title="More leads could not be loaded."
            error={leads.error}
            onRetry={() => void leads.fetchNextPage()}
          />
        )}
        <div className="flex min-h-9 flex-wrap items-center justify-between gap-x-4 gap-y-1">
          {rows !== undefined && rows.length > 0 && (
            <p role="status" className="text-xs text-muted tabular">
              {rows.length.toLocaleString('en-US')} {rows.length === 1 ? 'lead' : 'leads'} shown
              {hasNextPage ? '' : ', that is all of them'}
            </p>
          )}
          {/* On a phone the header has no room for it. */}
          <Link
            to={PATHS.doNotContact}
            className="rounded-sm py-1.5 text-sm text-accent hover:underline sm:hidden"
          >
            Do not contact
          </Link>
          {hasNextPage && (
            <Button busy={leads.isFetchingNextPage} onClick={() => void leads.fetchNextPage()}>
              Load more
            </Button>
          )}
        </div>
      </div>
    </div>
  )
}
