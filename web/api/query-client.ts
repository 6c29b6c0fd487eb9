import { QueryClient } from '@tanstack/react-query'
import { followDeliveries } from './follow-deliveries.ts'
import { isRefusal } from './errors.ts'

/** docs/product.md §7, data-fetching defaults. */
export function createQueryClient() {
  const queryClient = new QueryClient({
    defaultOptions: {
      queries: {
        retry: (failures, error) => !isRefusal(error) && failures < 3,
        retryDelay: (failures) => Math.min(1000 * 2 ** failures, 30_000),
        staleTime: 30_000,
        gcTime: 5 * 60_000,
        refetchOnWindowFocus: false,
        refetchOnReconnect: true,
      },
      mutations: {
        // Without a connection it fails at once: one that waits for it would be sent later, without being asked.
        networkMode: 'always',
        retry: (failures, error) => !isRefusal(error) && failures < 1,
        retryDelay: 1000,
      },
    },
  })
  followDeliveries(queryClient)
  return queryClient
}
