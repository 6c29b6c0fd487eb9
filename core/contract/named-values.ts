import { z } from 'zod'

/**
 * An object with more names is refused at once: every such object has a lower limit, and checking tens of thousands of
 * names takes long.
 */
const MOST_NAMES = 1000

/**
 * An object of values by names that a person has typed. zod's record silently leaves out a member called `__proto__`,
 * so that name is refused.
 * @param refusal the message of the refusal
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

/** An object that keeps every member, also one called `__proto__`. */
export function anyObject(error: string) {
  const isObject = (given: unknown): boolean =>
    typeof given === 'object' && given !== null && !Array.isArray(given)
  return z.custom<Record<string, unknown>>(isObject, error).meta({ type: 'object' })
}
