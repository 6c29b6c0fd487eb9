import { useSearchParams } from 'react-router-dom'
import type { AnalyticsView } from './analytics-queries.ts'

const NAMES = ['days', 'from', 'to', 'order', 'state', 'lead_type', 'source'] as const

/** Keeps period and filters in the URL, so that a view can be shared and Back restores it. */
export function useAnalyticsView() {
  const [search, setSearch] = useSearchParams()
  const read = (name: (typeof NAMES)[number]) => search.get(name) ?? ''
  const view: AnalyticsView = {
    days: read('days'),
    from: read('from'),
    to: read('to'),
    order: read('order'),
    state: read('state'),
    lead_type: read('lead_type'),
    source: read('source'),
  }
  const change = (changed: Partial<AnalyticsView>) => {
    const next = new URLSearchParams(location.search)
    for (const [name, value] of Object.entries(changed)) {
      if (value === '') next.delete(name)
      else next.set(name, value)
    }
    setSearch(next, { replace: true })
  }
  const isNarrowed = [view.order, view.state, view.lead_type, view.source].some((value) => value !== '')
  return { view, change, isNarrowed }
}
