import { queryOptions } from '@tanstack/react-query'
import { readNeedsSchema } from '#core/contract/operations/needs.ts'
import { overviewSchema } from '#core/contract/operations/overview.ts'
import { apiPath } from '#web/api/api-path.ts'
import { request } from '#web/api/client.ts'
import { ADMIN_LISTS_KEY } from '#web/components/admin/admin-lists.ts'
import { countByPlace } from '../needs/need-words.ts'

const OVERVIEW_REFRESH_MS = 30_000

export const overviewQuery = queryOptions({
  queryKey: ['admin', 'overview'],
  queryFn: ({ signal }) => request(apiPath('admin', 'overview'), overviewSchema, { signal }),
  refetchInterval: OVERVIEW_REFRESH_MS,
})

/** Under the key of lists that administrators change, so that a decision changes it at once. */
export const needsQuery = queryOptions({
  queryKey: [...ADMIN_LISTS_KEY, 'needs'],
  queryFn: ({ signal }) => request(apiPath('admin', 'needs'), readNeedsSchema, { signal }),
  refetchInterval: OVERVIEW_REFRESH_MS,
})

/** Work by the place where it is done, for the badges of the sidebar. */
export const needsByPlaceQuery = queryOptions({ ...needsQuery, select: countByPlace })
