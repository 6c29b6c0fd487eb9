import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { leadDetailSchema } from '#core/contract/leads/lead.ts'
import { request } from '../api/client.ts'
import { leadPageSchema, leadsUrl } from '../api/lead-search.ts'

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
      request(leadsUrl({ ...filters, limit: String(PAGE_SIZE), cursor: pageParam }), leadPageSchema, {
        signal,
      }),
    initialPageParam: '',
    getNextPageParam: (page) => page.next_cursor,
  })
}

export function leadQuery(id: string) {
  return queryOptions({
    queryKey: ['leads', 'one', id],
    queryFn: ({ signal }) => request(`/api/v1/leads/${encodeURIComponent(id)}`, leadDetailSchema, { signal }),
    // The journey moves while someone looks at it.
    refetchInterval: ({ state }) => (state.data?.delivery_status === 'pending' ? PENDING_REFRESH_MS : false),
  })
}
