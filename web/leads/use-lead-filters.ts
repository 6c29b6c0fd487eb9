import { isAnySet, useUrlFilters } from '#web/hooks/use-url-filters.ts'
import { NO_FILTERS, type LeadListing } from './lead-filters.ts'

const NAMES = [...(Object.keys(NO_FILTERS) as (keyof typeof NO_FILTERS)[]), 'sort'] as const

/** Keeps the filters and the order of the list in the URL. */
export function useLeadFilters() {
  const { values, change } = useUrlFilters(NAMES)
  const filters: LeadListing = values
  const { sort: _sort, ...narrowing } = values
  return { filters, change, isFiltered: isAnySet(narrowing) }
}
