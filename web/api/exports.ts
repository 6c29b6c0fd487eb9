import { infiniteQueryOptions } from '@tanstack/react-query'
import { z } from 'zod'
import {
  exportSchema,
  exportSizeSchema,
  type ExportFilters,
  type ExportKind,
} from '#core/contract/exports/export.ts'
import { pageSchema } from '#core/contract/page.ts'
import { apiPath, withQuery } from './api-path.ts'
import { open, request } from './client.ts'
import { nextLook } from './export-progress.ts'

const EXPORTS_KEY = ['exports']
const PAGE = '20'

/** The exports that the person asked for, newest first; asked again while one is being made. */
export const exportsQuery = infiniteQueryOptions({
  queryKey: EXPORTS_KEY,
  queryFn: ({ pageParam, signal }) =>
    request(withQuery(apiPath('exports'), { limit: PAGE, cursor: pageParam }), pageSchema(exportSchema), {
      signal,
    }),
  initialPageParam: '',
  getNextPageParam: (page) => page.next_cursor,
  refetchInterval: ({ state: { data } }) =>
    nextLook(data?.pages.flatMap((page) => page.data) ?? [], new Date()),
  staleTime: 0,
})

/** Counts the rows of a list, up to the length from which its file is made in the background. */
export function measureExport(kind: ExportKind, filters: ExportFilters) {
  return request(withQuery(apiPath('exports', 'size'), { ...filters, kind }), exportSizeSchema)
}

/** @param idempotencyKey the same for every try of one wish */
export function askForExport(kind: ExportKind, filters: ExportFilters, idempotencyKey: string) {
  const body = kind === 'leads' ? { kind, filters } : { kind }
  return request(apiPath('exports'), exportSchema, { method: 'POST', body, idempotencyKey })
}

/** Cancels an export, or removes it with its file. */
export async function removeExport(id: string): Promise<void> {
  await request(apiPath('exports', id), z.undefined(), { method: 'DELETE' })
}

/** The file of an export. The browser keeps the bytes of a large one on disk. */
export async function readExportFile(id: string): Promise<Blob> {
  return await (await open(apiPath('exports', id, 'file'))).blob()
}
