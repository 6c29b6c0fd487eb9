import { useUrlFilters } from '#web/hooks/use-url-filters.ts'

const NAMES = ['search', 'status', 'funds'] as const

/** Keeps the filters of the list of clients in the URL. */
export function useClientFilters() {
  const { values: filters, change } = useUrlFilters(NAMES)
  const isFiltered = filters.search.trim() !== '' || filters.status !== '' || filters.funds !== ''
  return { filters, change, isFiltered }
}
