import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import type { LeadChange } from '#core/contract/leads/lead.ts'
import { countOpen } from '#core/domain/leads/judge-deliveries.ts'
import { apiPath, withQuery } from '../api/api-path.ts'
import { request } from '../api/client.ts'
import { leadPageSchema, shownLeadSchema } from '../api/lead-answers.ts'

export interface LeadFilters {
  search: string
  status: string
  state: string
  /** ISO times, as links of other screens bring them; `from` is included, `to` is not */
  from: string
  to: string
  /** 'false': without test leads; 'true': only these */
  is_test: string
}

export const NO_FILTERS: LeadFilters = { search: '', status: '', state: '', from: '', to: '', is_test: '' }

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

const NEWEST = 5
const NEWEST_REFRESH_MS = 15_000

/** The last leads that came in, of whatever kind. */
export const newestLeadsQuery = queryOptions({
  queryKey: ['leads', 'newest'],
  queryFn: async ({ signal }) =>
    (await request(withQuery(apiPath('leads'), { limit: String(NEWEST) }), leadPageSchema, { signal })).data,
  refetchInterval: NEWEST_REFRESH_MS,
})

export function changeLead(id: string, body: LeadChange) {
  return request(apiPath('leads', id), shownLeadSchema, { method: 'PATCH', body })
}
