import { z } from 'zod'

/**
 * Lets a caller send an answer back as a body: read-only fields of the answer (`id`, `created_at`) are
 * dropped before the rest is read (docs/contract.md §4).
 * @param listUnshown names further fields in whose place the answer shows something else than what is stored
 */
export function ignoreReadOnlyFields<Body extends z.ZodObject>(
  body: Body,
  answer: z.ZodObject,
  listUnshown: (given: Readonly<Record<string, unknown>>) => readonly string[] = () => [],
) {
  const readOnly = new Set(Object.keys(answer.shape).filter((name) => !Object.hasOwn(body.shape, name)))
  return z.preprocess((given) => {
    if (typeof given !== 'object' || given === null || Array.isArray(given)) return given
    const fields = Object.entries(given)
    const dropped = new Set([...readOnly, ...listUnshown(Object.fromEntries(fields))])
    return Object.fromEntries(fields.filter(([name]) => !dropped.has(name)))
  }, body)
}
