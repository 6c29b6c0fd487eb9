import type { FieldError } from '#core/contract/problem.ts'
import { LONGEST_PATH, MOST_FAULTS } from './with-further.ts'

/**
 * Why a text can be neither kept nor sent on as it came: PostgreSQL's text holds no NUL, and UTF-8 no half of a character, of which
 * both would silently make U+FFFD. Undefined for every other text.
 */
export function refuseText(text: string): string | undefined {
  if (text.includes('\0')) return 'Must not contain a NUL character'
  return text.isWellFormed()
    ? undefined
    : 'Must be UTF-8: it holds half of a character, or bytes of another encoding'
}

/**
 * The faults of every text in what JSON or a form says, names of members included; at most 100, their paths cut at 200 characters.
 * @param path of the value itself, dotted; empty for the whole body
 */
export function refuseTexts(value: unknown, path = ''): FieldError[] {
  const errors: FieldError[] = []
  collect(value, path.slice(0, LONGEST_PATH), errors)
  return errors
}

function collect(value: unknown, path: string, errors: FieldError[]): void {
  if (errors.length >= MOST_FAULTS) return
  if (typeof value === 'string') note(value, path, errors)
  else if (typeof value === 'object' && value !== null) {
    for (const [name, member] of Object.entries(value)) {
      const inner = (path === '' ? name : `${path}.${name}`).slice(0, LONGEST_PATH)
      note(name, inner, errors)
      collect(member, inner, errors)
    }
  }
}

function note(text: string, path: string, errors: FieldError[]): void {
  const message = refuseText(text)
  if (message !== undefined) errors.push({ path: path.toWellFormed(), message })
}
