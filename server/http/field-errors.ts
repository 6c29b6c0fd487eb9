import type { z } from 'zod'
import type { FieldError } from '#core/contract/problem.ts'

/** zod's issues as the API tells them. */
export function fieldErrors(error: z.ZodError): FieldError[] {
  return error.issues.map((issue) => ({ path: issue.path.join('.'), message: issue.message }))
}
