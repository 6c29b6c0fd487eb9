import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { Search } from 'lucide-react'
import { useState } from 'react'
import { PagedCard } from '#web/components/admin/PagedCard.tsx'
import { countOf } from '#web/format/count-of.ts'
import { formatMoney } from '#web/format/money.ts'
import { EmptyState } from '#web/ui/show/EmptyState.tsx'
import {
  adminLeadsQuery,
  adminLeadTotalsQuery,
  NO_ADMIN_FILTERS,
  type AdminLeadFilters,
} from '../admin-lead-queries.ts'
import { AdminLeadFilterBar } from './list/AdminLeadFilterBar.tsx'
import { AdminLeadTable } from './list/AdminLeadTable.tsx'
import { useAdminLeadFilters } from './list/use-admin-lead-filters.ts'

/** All leads: who has each, or why nobody has. */
export function AdminLeadsPanel() {
  const { filters, change, isFiltered } = useAdminLeadFilters()
  // A bar of another key is a new one, without the text that was typed.
  const [clears, setClears] = useState(0)
  const clear = () => {
    change(NO_ADMIN_FILTERS)
    setClears(clears + 1)
  }
  const leads = useInfiniteQuery(adminLeadsQuery(filters))
  return (
    <PagedCard
      title="All leads"
      failure="The leads could not be loaded."
      query={leads}
      actions={<Totals filters={filters} />}
      filters={
        <AdminLeadFilterBar key={clears} filters={filters} isFiltered={isFiltered} onChange={change} />
      }
      onClear={isFiltered ? clear : undefined}
      searchedTo={leads.data?.pages.at(-1)?.searched_to}
      empty={
        <EmptyState icon={<Search aria-hidden />} title="No leads yet">
          Every lead of every source appears here.
        </EmptyState>
      }
    >
      {(items) => <AdminLeadTable leads={items} />}
    </PagedCard>
  )
}

/** Shows what the filter finds in all, below the newest 100,000 leads. */
function Totals({ filters }: { filters: AdminLeadFilters }) {
  const { data } = useQuery(adminLeadTotalsQuery(filters))
  if (data === undefined) return null
  const { leads, has_more: more, sold, revenue, returned, unsold } = data
  return (
    <p role="status" className="text-sm text-muted tabular">
      {[
        countOf(leads, 'lead', more),
        `${sold.toLocaleString('en-US')} sold for ${formatMoney(revenue)}`,
        `${unsold.toLocaleString('en-US')} unsold`,
        `${returned.toLocaleString('en-US')} returned`,
      ].join(' · ')}
    </p>
  )
}
