import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import type { LeadChange } from '#core/contract/leads/lead.ts'
import { markedReadSchema, neighboursSchema } from '#core/contract/leads/lead-query.ts'
import { countOpen } from '#core/domain/leads/judge-deliveries.ts'
import { apiPath, withQuery } from '../api/api-path.ts'
import { TELLS_DELIVERIES } from '../api/follow-deliveries.ts'
import { request, requestText } from '../api/client.ts'
import { leadPageSchema, shownLeadSchema } from '../api/lead-answers.ts'
import type { LeadListing } from './lead-filters.ts'

const FIRST_PAGE = 25
/** Whoever goes on reads fast, and long lists are short of questions. */
const FURTHER_PAGE = 100
const PENDING_REFRESH_MS = 700
export function leadsQuery(filters: LeadListing) {
  return infiniteQueryOptions({
    queryKey: ['leads', 'list', filters],
    queryFn: ({ pageParam, signal }) =>
      request(
        withQuery(apiPath('leads'), {
          ...filters,
          limit: String(pageParam === '' ? FIRST_PAGE : FURTHER_PAGE),
          cursor: pageParam,
        }),
        leadPageSchema,
        {
          signal,
        },
      ),
    initialPageParam: '',
    getNextPageParam: (page) => page.next_cursor,
    meta: TELLS_DELIVERIES,
    // Whoever searches or has loaded more reads on; what waits on the first page moves while someone looks at it.
    refetchInterval: ({ state: { data } }) => {
      const [page, ...more] = data?.pages ?? []
      if (page === undefined || more.length > 0 || filters.search !== '') return false
      return page.data.some((lead) => countOpen(lead.delivery_counts) > 0) ? PENDING_REFRESH_MS : false
    },
  })
}

export function leadQuery(id: string) {
  return queryOptions({
    queryKey: ['leads', 'one', id],
    queryFn: ({ signal }) => request(apiPath('leads', id), shownLeadSchema, { signal }),
    meta: TELLS_DELIVERIES,
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
  meta: TELLS_DELIVERIES,
  refetchInterval: ({ state: { data } }) =>
    data?.some((lead) => countOpen(lead.delivery_counts) > 0) === true
      ? PENDING_REFRESH_MS
      : NEWEST_REFRESH_MS,
})

/** The leads before and after one in the list that it was opened from. */
export function neighboursQuery(id: string, filters: LeadListing) {
  return queryOptions({
    queryKey: ['leads', 'beside', id, filters],
    queryFn: ({ signal }) =>
      request(withQuery(apiPath('leads', id, 'neighbours'), { ...filters }), neighboursSchema, { signal }),
    // A server of the version before knows none, and the page does without.
    retry: false,
  })
}

export function markRead(leadIds: readonly string[]) {
  const body = { lead_ids: leadIds }
  return request(apiPath('leads', 'mark-read'), markedReadSchema, { method: 'POST', body })
}

/** All leads of a list, as the text of a CSV file. */
export function exportLeads(filters: LeadListing) {
  return requestText(withQuery(apiPath('leads.csv'), { ...filters }))
}

export function changeLead(id: string, body: LeadChange) {
  return request(apiPath('leads', id), shownLeadSchema, { method: 'PATCH', body })
}
