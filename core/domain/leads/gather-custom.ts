import type { FieldError } from '#core/contract/problem.ts'
import { MOST_FAULTS } from '../with-further.ts'

/** A value that `custom` and `utm` can hold: both are flat. */
export type FlatValue = string | number | boolean | null

export interface FlatObject {
  values: Record<string, FlatValue>
  errors: FieldError[]
}

const NAME = /^[A-Za-z0-9][A-Za-z0-9_.-]{0,63}$/

/**
 * Makes one flat object of the member `path` of a body and of the fields that have no column of their own, so that nothing
 * a sender wrote is dropped in silence.
 * @param given the member itself: an object, or absent
 * @param loose further fields, each with the path under which the sender wrote it
 */
export function gatherFlat(
  path: string,
  given: unknown,
  loose: readonly { path: string; key: string; value: unknown }[],
  limits: { keys: number; bytes: number },
): FlatObject {
  const values = new Map<string, FlatValue>()
  const errors: FieldError[] = []
  const isObject = typeof given === 'object' && given !== null && !Array.isArray(given)
  if (!isObject && given !== undefined && given !== null && given !== '') {
    errors.push({ path, message: 'Must be an object of flat values' })
  }
  const members = isObject
    ? Object.entries(given).map(([key, value]) => ({ path: `${path}.${key}`, key, value: value as unknown }))
    : []
  for (const member of [...members, ...loose]) {
    const reason = values.has(member.key) ? 'Is given twice' : refuseMember(member.key, member.value)
    if (reason === undefined) values.set(member.key, member.value as FlatValue)
    else errors.push({ path: member.path, message: reason })
    if (errors.length >= MOST_FAULTS || values.size > limits.keys) break
  }
  if (values.size > limits.keys) errors.push({ path, message: `Holds more than ${limits.keys} fields` })
  const result = Object.fromEntries(values)
  if (new TextEncoder().encode(JSON.stringify(result)).length > limits.bytes) {
    errors.push({ path, message: `Is too large (at most ${limits.bytes.toLocaleString('en-US')} bytes)` })
  }
  return { values: result, errors }
}

function refuseMember(key: string, value: unknown): string | undefined {
  if (!NAME.test(key)) {
    return 'This field is not known, and its name does not fit custom (letters, digits, dot, dash, underscore; at most 64)'
  }
  if (typeof value === 'number') {
    // JSON.parse has already rounded an integer beyond 2^53, and made Infinity of what no double holds.
    const isExact = Number.isFinite(value) && (!Number.isInteger(value) || Number.isSafeInteger(value))
    return isExact ? undefined : 'Must be text in quotes: a number this large loses digits'
  }
  if (value === null || typeof value === 'boolean' || typeof value === 'string') return undefined
  return 'Must be text, a number, true, false or null'
}
