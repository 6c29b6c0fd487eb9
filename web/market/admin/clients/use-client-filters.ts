import { useSearchParams } from 'react-router-dom'

/** Keeps the filters of the list of clients in the address, so that Back and a shared link restore them. */
export function useClientFilters() {
  const [query, setQuery] = useSearchParams()
  const filters = { search: query.get('search') ?? '', status: query.get('status') ?? '' }
  const change = (changed: Partial<typeof filters>) => {
    // Read now, because a delayed change of one filter must not undo a change of another.
    const next = new URLSearchParams(location.search)
    for (const [name, value] of Object.entries(changed)) {
      if (value === '') next.delete(name)
      else next.set(name, value)
    }
    setQuery(next, { replace: true })
  }
  return { filters, change, isFiltered: filters.search.trim() !== '' || filters.status !== '' }
}
