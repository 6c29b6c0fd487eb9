import { JsonSyntaxError, parseJsonTree } from '#core/domain/webhooks/template/json-tree.ts'

/**
 * An error in a text that must be a JSON object. Line and column count from 1, the offset from 0; null if it
 * concerns the whole text.
 */
export interface JsonFault {
  message: string
  line: number | null
  column: number | null
  offset: number | null
}

const WHOLE = { line: null, column: null, offset: null }

/** Finds the error of `text` as a JSON object; null if it is valid. The text itself is never changed. */
export function findJsonObjectFault(text: string): JsonFault | null {
  if (text.trim() === '') return { message: 'Enter a JSON object, for example {}', ...WHOLE }
  try {
    if (parseJsonTree(text).kind === 'object') return null
    return { message: 'Must be a JSON object: { "key": "value" }', ...WHOLE }
  } catch (error) {
    if (!(error instanceof JsonSyntaxError)) throw error
    return { message: error.message, ...locate(text, error.offset) }
  }
}

/** Finds the error of `text` as custom headers: a JSON object whose values are all strings. */
export function findHeadersFault(text: string): JsonFault | null {
  const fault = findJsonObjectFault(text)
  if (fault !== null) return fault
  const tree = parseJsonTree(text)
  if (tree.kind !== 'object') return null
  const odd = tree.members.find((member) => member.value.kind !== 'string')
  return odd === undefined
    ? null
    : { message: `The value of "${odd.key}" must be a string in quotes`, ...WHOLE }
}

/** Describes the error and its place in one sentence for the field. */
export function describeJsonFault({ message, line, column }: JsonFault): string {
  return line === null || column === null ? message : `Line ${line}, column ${column}: ${message}`
}

function locate(text: string, offset: number): { line: number; column: number; offset: number } {
  const before = text.slice(0, offset)
  return { line: before.split('\n').length, column: before.length - before.lastIndexOf('\n'), offset }
}
