import { z } from 'zod'

/**
 * The schema of a body that a caller may make of an answer: what that has and nobody writes (`id`, `created_at`) is left out before the
 * rest is read (docs/contract.md §4).
 */
export function ignoreReadOnlyFields<Body extends z.ZodObject>(body: Body, answer: z.ZodObject) {
  const readOnly = new Set(Object.keys(answer.shape).filter((name) => !Object.hasOwn(body.shape, name)))
  return z.preprocess(
    (given) =>
      typeof given !== 'object' || given === null || Array.isArray(given)
        ? given
        : Object.fromEntries(Object.entries(given).filter(([name]) => !readOnly.has(name))),
    body,
  )
}
