import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { z } from 'zod'
import { leadDetailSchema, leadSummarySchema } from '#core/contract/leads/lead.ts'
import { request } from '../api/client.ts'

export const leadPageSchema = z.object({
  data: z.array(leadSummarySchema),
  next_cursor: z.string().nullable(),
})

export interface LeadFilters {
  search: string
  status: string
  state: string
}

const PAGE_SIZE = 25
const PENDING_REFRESH_MS = 5000
/** SPEC.md §9, search: at least 2 characters, at most 5 results. */
export const SEARCH_MINIMUM = 2
const SEARCH_RESULTS = 5

function leadsUrl(parameters: Record<string, string>) {
  const given = Object.entries(parameters).filter(([, value]) => value !== '')
  return `/api/v1/leads?${new URLSearchParams(given)}`
}

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

export function leadSearchQuery(search: string) {
  return queryOptions({
    queryKey: ['leads', 'search', search],
    queryFn: ({ signal }) =>
      request(leadsUrl({ search, limit: String(SEARCH_RESULTS) }), leadPageSchema, { signal }),
    enabled: search.length >= SEARCH_MINIMUM,
    // SPEC.md §2: a failed search shows an empty list silently, so it is not worth a wait.
    retry: false,
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
