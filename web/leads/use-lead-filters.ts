import { useSearchParams } from 'react-router-dom'
import type { LeadListing } from './lead-filters.ts'

/** Keeps the filters in the URL, so that a view can be shared and Back restores it. */
export function useLeadFilters() {
  const [search, setSearch] = useSearchParams()
  const filters: LeadListing = {
    search: search.get('search') ?? '',
    status: search.get('status') ?? '',
    state: search.get('state') ?? '',
    from: search.get('from') ?? '',
    to: search.get('to') ?? '',
    is_test: search.get('is_test') ?? '',
    disposition: search.get('disposition') ?? '',
    delivery: search.get('delivery') ?? '',
    unread: search.get('unread') ?? '',
    sort: search.get('sort') ?? '',
  }
  const change = (changed: Partial<LeadListing>) => {
    // Read now, because a delayed change of one filter must not undo a change of another.
    const next = new URLSearchParams(location.search)
    for (const [name, value] of Object.entries(changed)) {
      if (value === '') next.delete(name)
      else next.set(name, value)
    }
    setSearch(next, { replace: true })
  }
  const { sort: _sort, ...narrowing } = filters
  return { filters, change, isFiltered: Object.values(narrowing).some((value) => value !== '') }
}
