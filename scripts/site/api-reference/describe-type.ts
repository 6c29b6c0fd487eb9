import type { JsonSchema } from '#server/http/openapi/api-document.ts'
import { asCode } from '../tables/write-table.ts'

const TYPES: Readonly<Record<string, string>> = {
  string: 'text',
  integer: 'whole number',
  boolean: 'true or false',
  array: 'list',
}

/** A type in words, with what may stand there. */
export function describeType(schema: JsonSchema): string {
  if (schema.const !== undefined) return asCode(JSON.stringify(schema.const))
  if (schema.enum !== undefined) return schema.enum.map((value) => asCode(String(value))).join(', ')
  const choices = schema.anyOf ?? schema.oneOf
  if (choices !== undefined) return [...new Set(choices.map(describeType))].join(' or ')
  if (schema.format === 'uuid') return 'id (UUID)'
  const types = schema.type === undefined ? [] : [schema.type].flat()
  if (types.length === 0) return schema.properties === undefined ? 'any' : 'object'
  const most =
    schema.maxLength === undefined ? '' : `, at most ${schema.maxLength.toLocaleString('en-US')} characters`
  return types.map((type) => TYPES[type] ?? type).join(' or ') + most
}
