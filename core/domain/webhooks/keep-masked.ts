import type { FieldError } from '#core/contract/problem.ts'
import { isCredential, isMask, maskValue } from './mask-credentials.ts'

type Headers = Readonly<Record<string, string>>

/** The message for a mask behind which nothing is stored. */
const NOTHING_BEHIND = 'Enter the value: what was sent is only a mask'

/** Whether stored credentials may be kept, and the message if they may not. */
export type Binding = { isBound: true } | { isBound: false; message: string }

/** A stored credential goes to no other origin than the one it was entered for. */
export function bindToOrigin(endpointUrl: string, storedUrl: string | undefined): Binding {
  return storedUrl === undefined || isSameOrigin(endpointUrl, storedUrl)
    ? { isBound: true }
    : { isBound: false, message: 'Enter the value again: the endpoint has changed' }
}

/** Whether scheme, host and port are those for which a credential was entered. */
export function isSameOrigin(one: string, other: string): boolean {
  const origin = URL.parse(one)?.origin
  return origin !== undefined && origin === URL.parse(other)?.origin
}

/**
 * Custom headers with stored values restored where their masks were sent, as by a form that shows masks.
 * @param given undefined keeps everything that is stored
 * @param stored in clear; undefined if there is no configuration yet. A value that could not be opened is undefined: its
 * mask stands for nothing, and it stays behind like a credential when the endpoint changes
 * @returns one error for each value that must be entered again
 */
export function keepMaskedHeaders(
  given: Headers | undefined,
  stored: Readonly<Record<string, string | undefined>> | undefined,
  binding: Binding,
): { headers: Record<string, string>; errors: FieldError[] } {
  const known = new Map(Object.entries(stored ?? {}).map(([name, value]) => [name.toLowerCase(), value]))
  const errors: FieldError[] = []
  const keep = (name: string, value: string): string => {
    if (!binding.isBound) errors.push({ path: `custom_headers.${name}`, message: binding.message })
    return value
  }
  const entries = Object.entries(given ?? stored ?? {}).flatMap(([name, value]) => {
    if (value === undefined) {
      keep(name, '')
      return []
    }
    if (given === undefined) return [[name, isCredential(name, value) ? keep(name, value) : value]]
    if (!isMask(value)) return [[name, value]]
    const behind = known.get(name.toLowerCase())
    if (behind !== undefined && maskValue(behind) === value) return [[name, keep(name, behind)]]
    errors.push({ path: `custom_headers.${name}`, message: NOTHING_BEHIND })
    return [[name, '']]
  })
  return { headers: Object.fromEntries(entries) as Record<string, string>, errors }
}
