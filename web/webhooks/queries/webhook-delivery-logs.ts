import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { z } from 'zod'
import {
  deliveryCountsSchema,
  deliveryLogDetailSchema,
  deliveryLogSchema,
} from '#core/contract/webhooks/delivery.ts'
import { replaySchema } from '#core/contract/webhooks/resend.ts'
import { pageSchema } from '#core/contract/page.ts'
import { apiPath, withQuery } from '#web/api/api-path.ts'
import { TELLS_DELIVERIES } from '#web/api/live-queries.ts'
import { request } from '#web/api/client.ts'
import { startOfPeriod, type LogFilter } from './log-filter.ts'

/** Page size of the delivery logs (docs/product.md §9). */
export const LOGS_SHOWN = 50

const logPageSchema = pageSchema(deliveryLogSchema)

/** The attempts of one configuration, newest first, page by page. */
export function deliveryLogsQuery(configId: string, filter: LogFilter) {
  return infiniteQueryOptions({
    queryKey: ['delivery-logs', 'list', configId, filter],
    queryFn: ({ pageParam, signal }) => {
      const { period, ...given } = filter
      const asked = { limit: String(LOGS_SHOWN), ...given, ...startOfPeriod(period), cursor: pageParam }
      const path = apiPath('webhook-configs', configId, 'delivery-logs')
      return request(withQuery(path, asked), logPageSchema, { signal })
    },
    initialPageParam: '',
    getNextPageParam: (page) => page.next_cursor,
    staleTime: 0,
    meta: TELLS_DELIVERIES,
  })
}

/** Number of rows in the whole log, and number of waiting deliveries. */
export function deliveryCountsQuery(configId: string) {
  return queryOptions({
    queryKey: ['delivery-logs', 'counts', configId],
    queryFn: ({ signal }) =>
      request(apiPath('webhook-configs', configId, 'delivery-counts'), deliveryCountsSchema, { signal }),
    staleTime: 0,
    meta: TELLS_DELIVERIES,
  })
}

/** One whole attempt. It changes while its delivery is in flight; a retry becomes an attempt of its own. */
export function deliveryLogQuery(logId: string) {
  return queryOptions({
    queryKey: ['delivery-logs', 'one', logId],
    queryFn: ({ signal }) => request(apiPath('delivery-logs', logId), deliveryLogDetailSchema, { signal }),
    staleTime: 0,
    meta: TELLS_DELIVERIES,
  })
}

const replaysSchema = z.object({ data: z.array(replaySchema) })

/** The newest "Resend failed since…" of a configuration, or null. */
export function latestReplayQuery(configId: string) {
  return queryOptions({
    queryKey: ['delivery-logs', 'replay', configId],
    queryFn: async ({ signal }) => {
      const path = withQuery(apiPath('webhook-configs', configId, 'replays'), { limit: '1' })
      const { data } = await request(path, replaysSchema, { signal })
      return data[0] ?? null
    },
    staleTime: 0,
    meta: TELLS_DELIVERIES,
  })
}
