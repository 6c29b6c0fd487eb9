import { useUrlFilters } from '#web/hooks/use-url-filters.ts'

const NAMES = ['search', 'status'] as const

/** Keeps the filters of the list of clients in the URL. */
export function useClientFilters() {
  const { values: filters, change } = useUrlFilters(NAMES)
  return { filters, change, isFiltered: filters.search.trim() !== '' || filters.status !== '' }
}
