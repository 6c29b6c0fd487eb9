import type { FieldError } from '#core/contract/problem.ts'

/**
 * Limit of faults in an answer: more would not help to fix the input, and would make a long answer of a short request.
 */
export const MOST_FAULTS = 100
/**
 * Number of characters shown of a path: each fault repeats the names above it, and a name may be as long as the body.
 */
export const LONGEST_PATH = 200

/** Faults, and those of other fields; at most 100, their paths cut at 200 characters. */
export function withFurther(errors: readonly FieldError[], further: readonly FieldError[]): FieldError[] {
  const paths = new Set(errors.map(({ path }) => path))
  const told = [...errors, ...further.filter(({ path }) => !paths.has(path))].slice(0, MOST_FAULTS)
  return told.map((fault) => ({ ...fault, path: showPath(fault.path) }))
}

/** PostgreSQL stores neither a NUL nor half of a surrogate pair, and a name may contain both. */
function showPath(path: string): string {
  return path.slice(0, LONGEST_PATH).toWellFormed().replaceAll('\0', '\uFFFD')
}
