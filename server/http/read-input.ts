import type { z } from 'zod'
import type { FieldError } from '#core/contract/problem.ts'
import { refuseTexts } from '#core/domain/refuse-text.ts'
import { withFurther } from '#core/domain/with-further.ts'
import { nameUnknown } from './name-unknown.ts'
import { wordFault } from './errors/word-fault.ts'

type ReadInput<Value> = { ok: true; value: Value } | { ok: false; errors: FieldError[] }

/**
 * Parses a caller's input with its schema, or throws all its faults. Text that cannot be stored is refused,
 * whatever the schema says.
 */
export function readInput<Schema extends z.ZodType>(
  schema: Schema,
  given: unknown,
): ReadInput<z.output<Schema>> {
  const unfit = refuseTexts(given)
  const parsed = schema.safeParse(given, { error: wordFault })
  if (parsed.success && unfit.length === 0) return { ok: true, value: parsed.data }
  const faults = parsed.error?.issues.flatMap((issue) =>
    issue.code === 'unrecognized_keys'
      ? nameUnknown(schema, issue.path, issue.keys)
      : [{ path: issue.path.join('.'), message: issue.message }],
  )
  return { ok: false, errors: withFurther(unfit, faults ?? []) }
}
