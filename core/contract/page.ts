import { z } from 'zod'

/** `{data, next_cursor}`: a page of a list (docs/contract.md §4). */
export function pageSchema<Row extends z.ZodType>(row: Row) {
  return z.object({ data: z.array(row), next_cursor: z.string().nullable() })
}
