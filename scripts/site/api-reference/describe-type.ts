import type { JsonSchema } from '#server/http/openapi/api-document.ts'
import { asCode } from '../tables/write-table.ts'

const TYPES: Readonly<Record<string, string>> = {
  string: 'text',
  integer: 'whole number',
  boolean: 'true or false',
  array: 'list',
}

/** A type in words, with its allowed values. */
export function describeType(schema: JsonSchema): string {
  return joinTypes(listTypes(schema))
}

/**
 * The types of a member that occurs several times, without repeats and without types that another one
 * includes.
 */
export function joinTypes(types: readonly string[]): string {
  if (types.includes('any')) return 'any'
  const isAnyBoolean = types.includes(TYPES['boolean'] ?? '')
  const told = isAnyBoolean ? types.filter((one) => one !== '`true`' && one !== '`false`') : types
  return [...new Set(told)].join(' or ')
}

/** One type for each choice. */
export function listTypes(schema: JsonSchema): string[] {
  if (schema.const !== undefined) return [asCode(JSON.stringify(schema.const))]
  if (schema.enum !== undefined) return [schema.enum.map((value) => asCode(String(value))).join(', ')]
  const choices = schema.anyOf ?? schema.oneOf
  if (choices !== undefined) return choices.flatMap(listTypes)
  if (schema.format === 'uuid') return ['id (UUID)']
  const types = schema.type === undefined ? [] : [schema.type].flat()
  if (types.length === 0) return [schema.properties === undefined ? 'any' : 'object']
  return [types.map((type) => TYPES[type] ?? type).join(' or ') + describeBounds(schema)]
}

function describeBounds({ maxLength, minimum, maximum }: JsonSchema): string {
  if (maxLength !== undefined) return `, at most ${write(maxLength)} characters`
  // A whole number without bounds has JavaScript's bounds.
  const least = minimum === undefined || minimum <= Number.MIN_SAFE_INTEGER ? undefined : minimum
  const most = maximum === undefined || maximum >= Number.MAX_SAFE_INTEGER ? undefined : maximum
  if (least !== undefined && most !== undefined) return `, ${write(least)} to ${write(most)}`
  if (most !== undefined) return `, at most ${write(most)}`
  return least === undefined ? '' : `, at least ${write(least)}`
}

function write(number: number): string {
  return number.toLocaleString('en-US')
}
