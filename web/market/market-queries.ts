import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { setupProgressSchema, type SetupStep } from '#core/contract/market/client-setup.ts'
import { dashboardSchema } from '#core/contract/market/dashboard.ts'
import { orderChecklistSchema } from '#core/contract/market/order.ts'
import { apiPath } from '../api/api-path.ts'
import { request } from '../api/client.ts'
import { TELLS_DELIVERIES } from '../api/live-queries.ts'

const REFRESH_MS = 60_000

/** The client's leads of today and the last days, and the steps that are left to set up. */
export const dashboardQuery = queryOptions({
  queryKey: ['market', 'dashboard'],
  queryFn: ({ signal }) => request(apiPath('dashboard'), dashboardSchema, { signal }),
  // Changes made on other screens must show at once.
  staleTime: 0,
  refetchInterval: REFRESH_MS,
})

/** The conditions for receiving leads, one by one. */
export const checklistQuery = queryOptions({
  queryKey: ['market', 'checklist'],
  queryFn: async ({ signal }) =>
    (await request(apiPath('orders', 'checklist'), orderChecklistSchema, { signal })).data,
  staleTime: 0,
  refetchInterval: REFRESH_MS,
})

/** The client's setup progress, and the result of the newest test lead. */
export const setupQuery = queryOptions({
  queryKey: ['setup'],
  queryFn: ({ signal }) => request(apiPath('setup'), setupProgressSchema, { signal }),
  // Changes made on other screens must show at once.
  staleTime: 0,
  meta: TELLS_DELIVERIES,
})

export function useSkipSetupStep() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (step: SetupStep) =>
      request(apiPath('setup', 'skip'), setupProgressSchema, { method: 'POST', body: { step } }),
    onSuccess: async (setup) => {
      // A request in flight began before this change, so its answer would be stale.
      await queryClient.cancelQueries({ queryKey: setupQuery.queryKey })
      queryClient.setQueryData(setupQuery.queryKey, setup)
    },
  })
}
