import { useSearchParams } from 'react-router-dom'
import { NO_ADMIN_FILTERS, type AdminLeadFilters } from '../../admin-lead-queries.ts'

/** Keeps the filters in the URL, so that a view can be shared and Back restores it. */
export function useAdminLeadFilters() {
  const [search, setSearch] = useSearchParams()
  const filters = { ...NO_ADMIN_FILTERS }
  for (const name of Object.keys(NO_ADMIN_FILTERS)) filters[name] = search.get(name) ?? ''
  const change = (changed: Partial<AdminLeadFilters>) => {
    // Read now, because a delayed change of one filter must not undo a change of another.
    const next = new URLSearchParams(location.search)
    for (const [name, value = ''] of Object.entries(changed)) {
      if (value === '') next.delete(name)
      else next.set(name, value)
    }
    setSearch(next, { replace: true })
  }
  return { filters, change, isFiltered: Object.values(filters).some((value) => value !== '') }
}
