import { queryOptions } from '@tanstack/react-query'
import { leadSummarySchema } from '#core/contract/leads/lead.ts'
import { pageSchema } from '#core/contract/page.ts'
import { apiPath, withQuery } from './api-path.ts'
import { request } from './client.ts'

/** docs/product.md §9, search: at least 2 characters, at most 5 results. */
export const SEARCH_MINIMUM = 2
const SEARCH_RESULTS = 5

export function leadSearchQuery(search: string) {
  return queryOptions({
    queryKey: ['leads', 'search', search],
    queryFn: ({ signal }) =>
      request(
        withQuery(apiPath('leads'), { search, limit: String(SEARCH_RESULTS) }),
        pageSchema(leadSummarySchema),
        {
          signal,
        },
      ),
    enabled: search.length >= SEARCH_MINIMUM,
    // A failed search shows an empty list silently (docs/product.md §2), so a retry is not worth the wait.
    retry: false,
  })
}
