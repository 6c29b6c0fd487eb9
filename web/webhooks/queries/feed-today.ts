import { queryOptions } from '@tanstack/react-query'
import { feedDaySchema } from '#core/contract/leads/feed.ts'
import { apiPath } from '#web/api/api-path.ts'
import { request } from '#web/api/client.ts'
import { TELLS_ALONG } from '#web/api/live-queries.ts'

/** The account's feed today, in UTC: last number, counts and hash. */
export const feedTodayQuery = queryOptions({
  queryKey: ['feed', 'today'],
  queryFn: ({ signal }) => {
    const today = new Date().toISOString().slice(0, 10)
    return request(apiPath('feed', 'days', today), feedDaySchema, { signal })
  },
  meta: TELLS_ALONG,
})
