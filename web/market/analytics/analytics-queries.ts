import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { analyticsSchema } from '#core/contract/market/analytics.ts'
import { apiPath, withQuery } from '#web/api/api-path.ts'
import { request } from '#web/api/client.ts'

/** A period (by its length until today or by its dates) and filters; an empty text does not filter. */
export interface AnalyticsView {
  days: string
  from: string
  to: string
  order: string
  state: string
  lead_type: string
  source: string
}

export function analyticsQuery(view: AnalyticsView) {
  return queryOptions({
    queryKey: ['market', 'analytics', view],
    queryFn: ({ signal }) =>
      request(withQuery(apiPath('analytics'), { ...view }), analyticsSchema, { signal }),
    // Keeps the old figures until the new ones arrive, so that the page does not jump with each choice.
    placeholderData: keepPreviousData,
  })
}

export function analyticsFile(view: AnalyticsView): string {
  return withQuery(apiPath('analytics.csv'), { ...view })
}
