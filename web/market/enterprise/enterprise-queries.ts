import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { deliveryReportSchema, exceptionsSchema } from '#core/contract/market/delivery-figures.ts'
import { agentFiguresSchema } from '#core/contract/market/agent-figures.ts'
import { apiPath, withQuery } from '#web/api/api-path.ts'
import { request } from '#web/api/client.ts'
import type { AskedDeliveries } from './enterprise-view.ts'

/** Prefix of both query keys below, to refresh them after a resend. */
export const ENTERPRISE_KEY = ['market', 'enterprise'] as const
/** Every answer is counted anew, so we refresh by time and not on every change. */
const REFRESH_MS = 30_000

export function deliveryReportQuery(asked: AskedDeliveries) {
  return queryOptions({
    queryKey: [...ENTERPRISE_KEY, 'report', asked],
    queryFn: ({ signal }) =>
      request(withQuery(apiPath('analytics', 'deliveries'), { ...asked }), deliveryReportSchema, { signal }),
    refetchInterval: REFRESH_MS,
    // Keeps the old figures until the new ones arrive, so that the page does not jump with each choice.
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

/** Results of each person of the account. */
export function agentFiguresQuery(period: { from: string; to: string }) {
  return queryOptions({
    queryKey: [...ENTERPRISE_KEY, 'agents', period],
    queryFn: ({ signal }) =>
      request(withQuery(apiPath('analytics', 'agents'), period), agentFiguresSchema, { signal }),
    refetchInterval: REFRESH_MS,
    placeholderData: keepPreviousData,
  })
}
