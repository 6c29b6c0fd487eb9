import { z } from 'zod'

/**
 * Kinds of values in the environment. Each reason says what is expected and never quotes the value, which may be a
 * secret.
 */

export function wholeNumber(least: number, most: number) {
  const error = `must be a whole number from ${least} to ${most}`
  return z.coerce.number({ error }).int({ error }).min(least, { error }).max(most, { error })
}

export function number(least: number, most: number) {
  const error = `must be a number from ${least} to ${most}`
  return z.coerce.number({ error }).min(least, { error }).max(most, { error })
}

/** A number of days for which something is kept: 0 for ever, or at least so many. */
export function daysKept(least: number) {
  const most = 36_500
  const error = `must be 0 (for ever), or a whole number of days from ${least} to ${most}`
  return z.coerce
    .number({ error })
    .int({ error })
    .refine((days) => days === 0 || (days >= least && days <= most), { error })
    .default(0)
}

/** A port; 0 takes a free one. */
export const port = wholeNumber(0, 65_535)

export function oneOf<const Values extends readonly [string, ...string[]]>(values: Values) {
  return z.enum(values, { error: `must be one of ${values.join(', ')}` })
}

/** Off and on, in the usual words. */
export function flag(initial: boolean) {
  return z
    .string()
    .regex(/^(0|1|true|false|yes|no)$/i, 'must be 1 or 0, true or false')
    .transform((value) => /^(1|true|yes)$/i.test(value))
    .default(initial)
}

export function textOf(least: number) {
  return z.string().min(least, { error: `must have at least ${least} characters` })
}

/** A list separated by commas; spaces around an item and empty items are ignored. */
export const list = z.string().transform((value) =>
  value
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== ''),
)

export const mailAddress = z.email({ error: 'must be an e-mail address' })

export const address = z.url({
  protocol: /^https?$/,
  error: 'must be an address that starts with https:// or http://',
})

/**
 * A service's URL that can be parsed: a password with a character that URLs reserve must be percent-encoded.
 * @param form shown if it has none of these schemes, or cannot be parsed
 * @param split makes one URL for each host, where a URL may name several
 */
export function serviceUrl(
  schemes: RegExp,
  form: string,
  missing = `must be ${form}`,
  split = (url: string): string[] => [url],
) {
  return z
    .string({ error: missing })
    .refine((value) => schemes.test(value) && split(value).every(isReadable), {
      error: `must be ${form}; what URLs reserve is percent-encoded in it`,
    })
}

/** PostgreSQL's URLs may omit the host after a user. */
function isReadable(url: string): boolean {
  return URL.canParse(url.replace('@/', '@host/'))
}
