import { isAnySet, useUrlFilters } from '#web/hooks/use-url-filters.ts'
import { NO_ADMIN_FILTERS, type AdminLeadFilters } from '../../admin-lead-queries.ts'

const NAMES = Object.keys(NO_ADMIN_FILTERS)

/** Keeps the filters in the URL. */
export function useAdminLeadFilters() {
  const { values, change } = useUrlFilters(NAMES)
  const filters: AdminLeadFilters = { ...NO_ADMIN_FILTERS, ...values }
  return { filters, change, isFiltered: isAnySet(filters) }
}
