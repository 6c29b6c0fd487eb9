import { z } from 'zod'
import { readCursor, type PagePosition } from '#core/data/page.ts'
import { AppError } from '#core/errors.ts'

/** Query of a list without filters. */
export const pageQuerySchema = z.object({
  limit: z.coerce.number().int().min(1).max(100).default(100),
  cursor: z.string().max(200).optional(),
})

/** @throws AppError validation_failed for a cursor that no list has returned */
export function readPage(query: { limit: number; cursor?: string | undefined }): {
  limit: number
  after: PagePosition | undefined
} {
  const after = query.cursor === undefined ? undefined : readCursor(query.cursor)
  if (query.cursor !== undefined && after === undefined) {
    const errors = [{ path: 'cursor', message: 'Use the next_cursor of the page before' }]
    throw new AppError('validation_failed', 'The cursor is not valid.', { errors })
  }
  return { limit: query.limit, after }
}
