import { quote, RestError } from './rest-error.ts'
import { parsePrefer, type Preferences } from './parse/parse-prefer.ts'

const OBJECT = /^application\/vnd\.pgrst\.object(?:\+json)?$/

/** The wishes in the headers of a request. */
export interface Wish extends Preferences {
  /** one object instead of a list: exactly one row must be found */
  isObject: boolean
}

/**
 * Reads the headers by which a request chooses the form of its answer.
 * @throws RestError PGRST106 for another schema, PGRST107 for a form that is not offered
 */
export function negotiate(header: (name: string) => string | undefined): Wish {
  const schema = header('Accept-Profile') ?? header('Content-Profile') ?? 'public'
  if (schema !== 'public' || (header('Content-Profile') ?? 'public') !== 'public') {
    throw new RestError(406, 'PGRST106', `Invalid schema: ${quote(schema)}`, {
      hint: 'Only the following schemas are exposed: public',
    })
  }
  return { isObject: readAccept(header('Accept')), ...parsePrefer(header('Prefer')) }
}

function readAccept(accept: string | undefined): boolean {
  if (accept === undefined || accept.trim() === '') return false
  for (const given of accept.split(',', 20)) {
    const [type = '', ...parameters] = given
      .toLowerCase()
      .split(';')
      .map((part) => part.trim())
    if (parameters.includes('nulls=stripped')) continue
    if (OBJECT.test(type)) return true
    if (['*/*', 'application/*', 'application/json'].includes(type)) return false
  }
  const message = `None of these media types are available: ${quote(accept)}`
  throw new RestError(406, 'PGRST107', message)
}

/** A `Range` header of items; undefined if there is none that means something. */
export function readRange(range: string | undefined): { from: number; to: number | undefined } | undefined {
  const [, from, to] = /^(?:items=)?(\d{1,9})-(\d{0,9})$/.exec(range?.trim() ?? '') ?? []
  if (from === undefined) return undefined
  return { from: Number(from), to: to === undefined || to === '' ? undefined : Number(to) }
}
