import { z } from 'zod'

/** More than any such object may have in the end; each of tens of thousands would be judged by itself. */
const MOST_NAMES = 1000

/**
 * An object of values by names that somebody has typed. zod's record leaves out a member called `__proto__` without a word, so
 * that name is refused.
 * @param refusal what is said of it
 */
export function namedValues<Name extends z.ZodString, Value extends z.ZodType>(
  name: Name,
  value: Value,
  { error, refusal }: { error?: string; refusal: string },
) {
  return z.preprocess(
    (given, context) => {
      if (typeof given !== 'object' || given === null) return given
      if (Object.hasOwn(given, '__proto__'))
        context.addIssue({ code: 'custom', path: ['__proto__'], message: refusal })
      if (Object.keys(given).length <= MOST_NAMES) return given
      context.addIssue({ code: 'custom', message: `At most ${MOST_NAMES.toLocaleString('en-US')} names` })
      return z.NEVER
    },
    z.record(name, value, error === undefined ? undefined : { error }),
  )
}

/** An object that is kept with every member it has, also one called `__proto__`. */
export function anyObject(error: string) {
  const isObject = (given: unknown): boolean =>
    typeof given === 'object' && given !== null && !Array.isArray(given)
  return z.custom<Record<string, unknown>>(isObject, error).meta({ type: 'object' })
}
