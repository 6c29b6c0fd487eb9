import { queryOptions } from '@tanstack/react-query'
import { dashboardSchema } from '#core/contract/market/dashboard.ts'
import { orderChecklistSchema } from '#core/contract/market/order.ts'
import { apiPath } from '../api/api-path.ts'
import { request } from '../api/client.ts'

const REFRESH_MS = 60_000

/** The signed-in client's leads of today and of the last days, and what is still to be set up. */
export const dashboardQuery = queryOptions({
  queryKey: ['market', 'dashboard'],
  queryFn: ({ signal }) => request(apiPath('dashboard'), dashboardSchema, { signal }),
  // What was done on other screens shows at once.
  staleTime: 0,
  refetchInterval: REFRESH_MS,
})

/** Why leads come or do not, line by line. */
export const checklistQuery = queryOptions({
  queryKey: ['market', 'checklist'],
  queryFn: async ({ signal }) =>
    (await request(apiPath('orders', 'checklist'), orderChecklistSchema, { signal })).data,
  staleTime: 0,
  refetchInterval: REFRESH_MS,
})
