import { z } from 'zod'
import { problemSchema } from '../problem.ts'

/** The 409 `version_conflict` of what two people edit at once: the row as it is now, and what was wished for it. */
export function versionConflictSchema<Row extends z.ZodType>(row: Row) {
  return problemSchema.extend({ current: row, yours: z.record(z.string(), z.unknown()) })
}
