import { useSearchParams } from 'react-router-dom'
import type { LeadFilters } from '../api/leads.ts'

/** The filters live in the URL, so that a view can be shared and Back restores it. */
export function useLeadFilters() {
  const [search, setSearch] = useSearchParams()
  const filters: LeadFilters = {
    search: search.get('search') ?? '',
    status: search.get('status') ?? '',
    state: search.get('state') ?? '',
  }
  const change = (changed: Partial<LeadFilters>) => {
    setSearch(
      (current) => {
        for (const [name, value] of Object.entries(changed)) {
          if (value === '') current.delete(name)
          else current.set(name, value)
        }
        return current
      },
      { replace: true },
    )
  }
  return { filters, change, isFiltered: Object.values(filters).some((value) => value !== '') }
}
