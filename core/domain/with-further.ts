import type { FieldError } from '#core/contract/problem.ts'

/** Faults, and those of other fields. */
export function withFurther(errors: readonly FieldError[], further: readonly FieldError[]): FieldError[] {
  const paths = new Set(errors.map(({ path }) => path))
  return [...errors, ...further.filter(({ path }) => !paths.has(path))]
}
