import { z } from 'zod'

/**
 * Lets a caller send an answer back as a body: read-only fields of the answer (`id`, `created_at`) are
 * dropped before the rest is read (docs/contract.md §4).
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
