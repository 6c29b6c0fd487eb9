import { QueryClient } from '@tanstack/react-query'
import { isRefusal } from './errors.ts'

/** Creates the query client with the defaults of docs/product.md §7. */
export function createQueryClient() {
  return new QueryClient({
    defaultOptions: {
      queries: {
        retry: (failures, error) => !isRefusal(error) && failures < 3,
        retryDelay: (failures) => Math.min(1000 * 2 ** failures, 30_000),
        staleTime: 30_000,
        gcTime: 5 * 60_000,
        refetchOnWindowFocus: false,
        // After a reconnect everything is fetched again, except forms that are being edited.
        refetchOnReconnect: ({ observers }) =>
          observers.every(({ options }) => options.staleTime === Number.POSITIVE_INFINITY) || 'always',
      },
      mutations: {
        // Offline a mutation fails at once; a paused one would be sent later without being asked.
        networkMode: 'always',
        retry: (failures, error) => !isRefusal(error) && failures < 1,
        retryDelay: 1000,
      },
    },
  })
}
