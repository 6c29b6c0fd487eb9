import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { leadSummarySchema } from '#core/contract/leads/lead.ts'
import { markedReadSchema, neighboursSchema } from '#core/contract/leads/lead-query.ts'
import { pageSchema } from '#core/contract/page.ts'
import { apiPath, withQuery } from '../api/api-path.ts'
import { TELLS_DELIVERIES } from '../api/live-queries.ts'
import { request } from '../api/client.ts'
import type { LeadListing } from './lead-filters.ts'

const leadPageSchema = pageSchema(leadSummarySchema)
const FIRST_PAGE = 25
/** Further pages are larger, so that a user who scrolls fast needs few requests. */
const FURTHER_PAGE = 100

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
    // A search result is not refreshed while somebody reads it.
    meta: { ...TELLS_DELIVERIES, follows: filters.search === '' },
  })
}

const NEWEST = 5

/** The newest leads, including test leads. */
export const newestLeadsQuery = queryOptions({
  queryKey: ['leads', 'newest'],
  queryFn: async ({ signal }) =>
    (await request(withQuery(apiPath('leads'), { limit: String(NEWEST) }), leadPageSchema, { signal })).data,
  meta: TELLS_DELIVERIES,
})

/** The leads before and after this one in the list that it was opened from. */
export function neighboursQuery(id: string, filters: LeadListing) {
  return queryOptions({
    queryKey: ['leads', 'beside', id, filters],
    queryFn: ({ signal }) =>
      request(withQuery(apiPath('leads', id, 'neighbours'), { ...filters }), neighboursSchema, { signal }),
    // Without an answer the page shows no arrows.
    retry: false,
  })
}

export function markRead(leadIds: readonly string[]) {
  const body = { lead_ids: leadIds }
  return request(apiPath('leads', 'mark-read'), markedReadSchema, { method: 'POST', body })
}

/** The file of all leads of a list. */
export function leadsFile(filters: LeadListing): string {
  return withQuery(apiPath('leads.csv'), { ...filters })
}
