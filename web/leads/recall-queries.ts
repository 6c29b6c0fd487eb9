import { queryOptions } from '@tanstack/react-query'
import { leadRecallSchema, recallPreviewSchema } from '#core/contract/leads/lead-recall.ts'
import { pageSchema } from '#core/contract/page.ts'
import { apiPath, withQuery } from '#web/api/api-path.ts'
import { request } from '#web/api/client.ts'
import { ADMIN_LISTS_KEY } from '#web/components/admin/admin-lists.ts'

const POLL_MS = 2000

/** The newest recalls; asked for often while one is under way. */
export const recallsQuery = queryOptions({
  queryKey: [...ADMIN_LISTS_KEY, 'lead-recalls'],
  queryFn: ({ signal }) =>
    request(apiPath('admin', 'lead-recalls'), pageSchema(leadRecallSchema), { signal }),
  staleTime: 0,
  refetchInterval: ({ state }) =>
    state.data?.data.some(({ ended_at: end }) => end === null) === true && POLL_MS,
})

export function recallPreviewQuery(range: { source: string; from: string; to: string }) {
  return queryOptions({
    queryKey: [...ADMIN_LISTS_KEY, 'recall-preview', range],
    queryFn: ({ signal }) =>
      request(withQuery(apiPath('admin', 'lead-recalls', 'preview'), range), recallPreviewSchema, { signal }),
    staleTime: 0,
  })
}
