import type { z } from 'zod'

/** The expected value in words, for schemas without a text of their own. */
const KINDS: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  tuple: 'a list',
  object: 'an object',
  record: 'an object',
  date: 'a moment like 2026-12-01T09:00:00Z',
  null: 'null',
}

const FORMATS: Readonly<Record<string, string>> = {
  uuid: 'an id',
  email: 'an e-mail address',
  url: 'a URL',
  date: 'a date like 2026-12-01',
  datetime: 'a moment like 2026-12-01T09:00:00Z',
}

/** A fault as a sentence for a person who calls the API. A schema's own text takes precedence. */
export function wordFault(issue: z.core.$ZodRawIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      return issue.input === undefined
        ? 'Is required'
        : `Must be ${KINDS[issue.expected] ?? 'something else'}`
    case 'invalid_value':
      return `Must be ${listOr(issue.values)}`
    case 'too_big':
      return wordBound(issue.origin, issue.inclusive === false ? 'less than' : 'at most', issue.maximum)
    case 'too_small':
      return wordBound(issue.origin, issue.inclusive === false ? 'more than' : 'at least', issue.minimum)
    case 'invalid_format':
      return FORMATS[issue.format] === undefined
        ? 'Is not in the form that is asked for'
        : `Must be ${FORMATS[issue.format]}`
    case 'not_multiple_of':
      return `Must be a multiple of ${issue.divisor}`
    default:
      return 'Is not in the form that is asked for'
  }
}

function wordBound(origin: string, word: string, bound: number | bigint): string {
  const count = bound.toLocaleString('en-US')
  if (origin === 'string') return `Must have ${word} ${count} ${bound === 1 ? 'character' : 'characters'}`
  if (origin === 'array' || origin === 'set')
    return `Must have ${word} ${count} ${bound === 1 ? 'entry' : 'entries'}`
  return `Must be ${word} ${count}`
}

/** `"a"`, `"a" or "b"`, `"a", "b" or "c"`. */
function listOr(values: readonly unknown[]): string {
  const words = values.map((value) => JSON.stringify(value))
  return words.length < 2 ? (words[0] ?? 'nothing') : `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`
}
