import { QueryClient } from '@tanstack/react-query'
import { isRefusal } from './errors.ts'

/** docs/product.md §7, data-fetching defaults. */
export function createQueryClient() {
  return new QueryClient({
    defaultOptions: {
      queries: {
        retry: (failures, error) => !isRefusal(error) && failures < 3,
        retryDelay: (failures) => Math.min(1000 * 2 ** failures, 30_000),
        staleTime: 30_000,
        gcTime: 5 * 60_000,
        refetchOnWindowFocus: false,
        // Whatever was missed meanwhile; what is being edited waits for nobody.
        refetchOnReconnect: ({ observers }) =>
          observers.every(({ options }) => options.staleTime === Number.POSITIVE_INFINITY) || 'always',
      },
      mutations: {
        // Without a connection it fails at once: one that waits for it would be sent later, without being asked.
        networkMode: 'always',
        retry: (failures, error) => !isRefusal(error) && failures < 1,
        retryDelay: 1000,
      },
    },
  })
}
