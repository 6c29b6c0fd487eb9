import { useUrlFilters } from '#web/hooks/use-url-filters.ts'

const NAMES = ['days', 'from', 'to', 'order', 'state', 'lead_type', 'source'] as const

/** Keeps period and filters in the URL. */
export function useAnalyticsView() {
  const { values: view, change } = useUrlFilters(NAMES)
  const isNarrowed = [view.order, view.state, view.lead_type, view.source].some((value) => value !== '')
  return { view, change, isNarrowed }
}
