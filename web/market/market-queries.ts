import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { setupProgressSchema, type SetupStep } from '#core/contract/market/client-setup.ts'
import { dashboardSchema } from '#core/contract/market/dashboard.ts'
import { orderChecklistSchema } from '#core/contract/market/order.ts'
import { apiPath } from '../api/api-path.ts'
import { request } from '../api/client.ts'
import { TELLS_DELIVERIES } from '../api/live-queries.ts'

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

/** What the signed-in client has set up so far, and how the newest test lead did. */
export const setupQuery = queryOptions({
  queryKey: ['setup'],
  queryFn: ({ signal }) => request(apiPath('setup'), setupProgressSchema, { signal }),
  // What was done on other screens shows at once.
  staleTime: 0,
  meta: TELLS_DELIVERIES,
})

export function useSkipSetupStep() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (step: SetupStep) =>
      request(apiPath('setup', 'skip'), setupProgressSchema, { method: 'POST', body: { step } }),
    onSuccess: async (setup) => {
      // An answer that is on its way was asked for before.
      await queryClient.cancelQueries({ queryKey: setupQuery.queryKey })
      queryClient.setQueryData(setupQuery.queryKey, setup)
    },
  })
}
