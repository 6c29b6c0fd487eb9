import type { FieldError } from '#core/contract/problem.ts'

/** More faults of one input help nobody to mend it, and would make a long answer of a short request. */
const MOST_FAULTS = 100
/** Characters of a path that are told: each fault repeats the names above it, and a name may be as long as the body. */
const LONGEST_PATH = 200

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
