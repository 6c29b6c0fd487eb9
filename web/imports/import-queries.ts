import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query'
import {
  importPreviewSchema,
  importRowsSchema,
  leadImportSchema,
  type ImportMapping,
  type ImportState,
} from '#core/contract/imports/lead-import.ts'
import { pageSchema } from '#core/contract/page.ts'
import { apiPath, withQuery } from '#web/api/api-path.ts'
import { request } from '#web/api/client.ts'
import { ADMIN_LISTS_KEY } from '#web/components/admin/admin-lists.ts'

const KEY = [...ADMIN_LISTS_KEY, 'imports']
/** States in which a worker makes progress, so we poll. */
const UNDER_WAY: readonly ImportState[] = ['reading', 'running']
const LOOK_EVERY_MS = 1000

export const importsQuery = infiniteQueryOptions({
  queryKey: [...KEY, 'list'],
  queryFn: ({ pageParam, signal }) =>
    request(
      withQuery(apiPath('admin', 'imports'), { limit: '50', cursor: pageParam }),
      pageSchema(leadImportSchema),
      { signal },
    ),
  initialPageParam: '',
  getNextPageParam: (page) => page.next_cursor,
  staleTime: 0,
})

export function importQuery(id: string) {
  return queryOptions({
    queryKey: [...KEY, 'one', id],
    queryFn: ({ signal }) => request(apiPath('admin', 'imports', id), leadImportSchema, { signal }),
    staleTime: 0,
    refetchInterval: ({ state }) =>
      state.data !== undefined && UNDER_WAY.includes(state.data.state) ? LOOK_EVERY_MS : false,
  })
}

export function importRowsQuery(id: string) {
  return queryOptions({
    queryKey: [...KEY, 'rows', id],
    queryFn: ({ signal }) => request(apiPath('admin', 'imports', id, 'rows'), importRowsSchema, { signal }),
  })
}

export function previewQuery(id: string, mapping: ImportMapping) {
  return queryOptions({
    queryKey: [...KEY, 'preview', id, mapping],
    queryFn: ({ signal }) =>
      request(apiPath('admin', 'imports', id, 'preview'), importPreviewSchema, {
        method: 'POST',
        body: mapping,
        signal,
      }),
    placeholderData: keepPreviousData,
  })
}
