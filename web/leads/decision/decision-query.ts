import { queryOptions } from '@tanstack/react-query'
import { decisionSchema } from '#core/contract/market/decision.ts'
import { apiPath } from '#web/api/api-path.ts'
import { request } from '#web/api/client.ts'
import { ApiError } from '#web/api/errors.ts'

/** Null for a lead that was never on the market: its source named the client, or it is a test. */
export function decisionQuery(leadId: string) {
  return queryOptions({
    queryKey: ['leads', 'decision', leadId],
    queryFn: async ({ signal }) => {
      try {
        return await request(apiPath('admin', 'leads', leadId, 'decision'), decisionSchema, { signal })
      } catch (error) {
        if (error instanceof ApiError && error.status === 404) return null
        throw error
      }
    },
    // The lead may be offered again at any moment.
    staleTime: 0,
  })
}
