import { infiniteQueryOptions } from '@tanstack/react-query'
import type { z } from 'zod'
import { pageSchema } from '#core/contract/page.ts'
import { apiPath, withQuery } from '#web/api/api-path.ts'
import { request } from '#web/api/client.ts'

/**
 * Prefix of the query key of every list that administrators change, because one change may show in several
 * lists.
 */
export const ADMIN_LISTS_KEY = ['admin', 'market']
const PAGE_SIZE = 50

/** Query options of a paged list for administrators. */
export function pages<Row extends z.ZodType>(
  list: string | readonly string[],
  row: Row,
  filters: Readonly<Record<string, string>>,
) {
  return pagesOf(list, pageSchema(row), filters)
}

/** The same for pages that say more than their rows. */
export function pagesOf<Page extends { next_cursor: string | null }>(
  list: string | readonly string[],
  schema: z.ZodType<Page>,
  filters: Readonly<Record<string, string>>,
) {
  return infiniteQueryOptions({
    queryKey: [...ADMIN_LISTS_KEY, list, filters],
    queryFn: ({ pageParam, signal }) =>
      request(
        withQuery(apiPath('admin', ...[list].flat()), {
          ...filters,
          limit: String(PAGE_SIZE),
          cursor: pageParam,
        }),
        schema,
        { signal },
      ),
    initialPageParam: '',
    getNextPageParam: (page) => page.next_cursor,
    // Before an administrator decides, they must see what others have decided meanwhile.
    staleTime: 0,
  })
}
