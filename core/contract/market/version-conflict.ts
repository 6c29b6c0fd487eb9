import { z } from 'zod'
import { problemSchema } from '../problem.ts'

/** The 409 `version_conflict` when two people edit the same row: its present values, and the wanted ones. */
export function versionConflictSchema<Row extends z.ZodType>(row: Row) {
  return problemSchema.extend({ current: row, yours: z.record(z.string(), z.unknown()) })
}
