import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { deliveryReportSchema, exceptionsSchema } from '#core/contract/market/delivery-figures.ts'
import { apiPath, withQuery } from '#web/api/api-path.ts'
import { request } from '#web/api/client.ts'
import type { AskedDeliveries } from './enterprise-view.ts'

/** Of both below, for who has sent something again. */
export const ENTERPRISE_KEY = ['market', 'enterprise'] as const
/** Counted each time: not with every delivery that moves. */
const REFRESH_MS = 30_000

export function deliveryReportQuery(asked: AskedDeliveries) {
  return queryOptions({
    queryKey: [...ENTERPRISE_KEY, 'report', asked],
    queryFn: ({ signal }) =>
      request(withQuery(apiPath('analytics', 'deliveries'), { ...asked }), deliveryReportSchema, { signal }),
    refetchInterval: REFRESH_MS,
    // What was shown stays until the next figures are there, or the page would jump with each choice.
    placeholderData: keepPreviousData,
  })
}

export function exceptionsQuery(asked: AskedDeliveries) {
  return queryOptions({
    queryKey: [...ENTERPRISE_KEY, 'exceptions', asked],
    queryFn: ({ signal }) =>
      request(withQuery(apiPath('analytics', 'exceptions'), { ...asked }), exceptionsSchema, { signal }),
    refetchInterval: REFRESH_MS,
    placeholderData: keepPreviousData,
  })
}
