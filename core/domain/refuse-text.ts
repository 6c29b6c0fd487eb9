import type { FieldError } from '#core/contract/problem.ts'
import { LONGEST_PATH, MOST_FAULTS } from './with-further.ts'

/**
 * The reason why a text can be neither stored nor sent unchanged. PostgreSQL's text holds no NUL, and UTF-8 no half of
 * a surrogate pair; both would silently become U+FFFD. Undefined for every other text.
 */
export function refuseText(text: string): string | undefined {
  if (text.includes('\0')) return 'Must not contain a NUL character'
  return text.isWellFormed()
    ? undefined
    : 'Must be UTF-8: it holds half of a character, or bytes of another encoding'
}

/**
 * Finds the faults of every text in JSON or a form, names of members included; at most 100, their paths cut at 200
 * characters.
 * @param path dotted path of the value itself; empty for the whole body
 */
export function refuseTexts(value: unknown, path = ''): FieldError[] {
  const errors: FieldError[] = []
  collect(value, path === '' ? [] : [path], errors)
  return errors
}

/**
 * @param trail the names above it; they are joined to a path only for a fault, because a body may have millions of
 * members
 */
function collect(value: unknown, trail: string[], errors: FieldError[]): void {
  if (errors.length >= MOST_FAULTS) return
  if (typeof value === 'string') note(value, trail, errors)
  else if (Array.isArray(value)) {
    for (let at = 0; at < value.length; at += 1) collectMember(String(at), value[at], trail, errors)
  } else if (typeof value === 'object' && value !== null) {
    for (const [name, member] of Object.entries(value)) {
      trail.push(name)
      note(name, trail, errors)
      trail.pop()
      collectMember(name, member, trail, errors)
    }
  }
}

function collectMember(name: string, member: unknown, trail: string[], errors: FieldError[]): void {
  if (typeof member !== 'string' && typeof member !== 'object') return
  trail.push(name)
  collect(member, trail, errors)
  trail.pop()
}

function note(text: string, trail: readonly string[], errors: FieldError[]): void {
  const message = refuseText(text)
  if (message === undefined || errors.length >= MOST_FAULTS) return
  const path = trail.map((name) => name.slice(0, LONGEST_PATH)).join('.')
  errors.push({ path: path.slice(0, LONGEST_PATH).toWellFormed(), message })
}
