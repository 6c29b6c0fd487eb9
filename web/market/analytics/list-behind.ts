import type { Analytics } from '#core/contract/market/analytics.ts'
import { leadsPath } from '#web/paths.ts'
import type { AnalyticsView } from './analytics-queries.ts'

/**
 * Returns the path of the list of the leads that a figure counts; undefined if the view uses a filter that the
 * list lacks, or if the person's role does not include leads.
 */
export type ListBehind = (further?: Readonly<Record<string, string>>) => string | undefined

export function listBehind(
  view: AnalyticsView,
  shown: Pick<Analytics, 'begins_at' | 'ends_at'>,
  seesLeads: boolean,
): ListBehind {
  if (!seesLeads) return () => undefined
  if (view.order !== '' || view.lead_type !== '' || view.source !== '') return () => undefined
  const state = view.state === '' ? {} : { state: view.state }
  const filters = { from: shown.begins_at, to: shown.ends_at, is_test: 'false', ...state }
  return (further = {}) => leadsPath({ ...filters, ...further })
}
