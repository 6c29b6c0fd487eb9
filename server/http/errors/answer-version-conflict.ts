import type { FieldError } from '#core/contract/problem.ts'
import { describeProblem } from './handle-errors.ts'
import type { Answer } from '../route.ts'

/**
 * The answer to a change that was based on an earlier version of a row: both values, so that nobody's work is
 * lost. `errors` names the fields whose current value differs from the change.
 * @param current the row as it is now
 * @param yours the change without its version
 */
export function answerVersionConflict(
  current: object & { version: number },
  yours: Readonly<Record<string, unknown>>,
): Answer {
  const values = new Map<string, unknown>(Object.entries(current))
  const errors: FieldError[] = Object.entries(yours)
    .filter(([path, wished]) => JSON.stringify(values.get(path)) !== JSON.stringify(wished))
    .map(([path]) => ({ path, message: 'Differs from what is stored now' }))
  const message = `This was changed meanwhile (it is at version ${current.version}). Look at both values, then save again.`
  const problem = describeProblem({ code: 'version_conflict', status: 409, message, errors })
  return { status: 409, type: 'application/problem+json', json: { ...problem, current, yours } }
}
