import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { analyticsSchema } from '#core/contract/market/analytics.ts'
import { apiPath, withQuery } from '#web/api/api-path.ts'
import { request, requestText } from '#web/api/client.ts'

/** A period, by its length until today or by its dates, and what it is narrowed by; empty texts narrow nothing. */
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
    // What was shown stays until the next figures are there, or the page would jump with each choice.
    placeholderData: keepPreviousData,
  })
}

export function readAnalyticsFile(view: AnalyticsView) {
  return requestText(withQuery(apiPath('analytics.csv'), { ...view }))
}
