import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { countOpen } from '#core/domain/leads/judge-deliveries.ts'
import { apiPath, withQuery } from '../api/api-path.ts'
import { request } from '../api/client.ts'
import { leadPageSchema, shownLeadSchema } from '../api/lead-answers.ts'

export interface LeadFilters {
  search: string
  status: string
  state: string
}

const PAGE_SIZE = 25
const PENDING_REFRESH_MS = 5000
export function leadsQuery(filters: LeadFilters) {
  return infiniteQueryOptions({
    queryKey: ['leads', 'list', filters],
    queryFn: ({ pageParam, signal }) =>
      request(
        withQuery(apiPath('leads'), { ...filters, limit: String(PAGE_SIZE), cursor: pageParam }),
        leadPageSchema,
        {
          signal,
        },
      ),
    initialPageParam: '',
    getNextPageParam: (page) => page.next_cursor,
  })
}

export function leadQuery(id: string) {
  return queryOptions({
    queryKey: ['leads', 'one', id],
    queryFn: ({ signal }) => request(apiPath('leads', id), shownLeadSchema, { signal }),
    // The journey moves while someone looks at it.
    refetchInterval: ({ state }) =>
      state.data !== undefined && countOpen(state.data.delivery_counts) > 0 ? PENDING_REFRESH_MS : false,
  })
}
