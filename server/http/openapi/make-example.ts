import { EXAMPLE_VALUES } from './example-values.ts'
import type { JsonSchema } from './api-document.ts'

/**
 * An example of a schema's value. Meaningful strings and numbers are found by their names
 * (example-values.ts); a test parses every example with the route's own schema, so that none is wrong.
 * @param name of the member, or of the list that it is in
 */
export function makeExample(schema: JsonSchema, name = ''): unknown {
  if (schema.const !== undefined) return schema.const
  const known = EXAMPLE_VALUES[name]
  if (known !== undefined && fits(known, schema)) return known
  if (schema.enum !== undefined) return schema.enum[0]
  const choices = schema.anyOf ?? schema.oneOf
  if (choices !== undefined) {
    const choice = choices.find(({ type }) => type !== 'null') ?? {}
    return makeExample(choice, name)
  }
  if (schema.allOf !== undefined)
    return Object.assign({}, ...schema.allOf.map((part) => makeExample(part, name))) as unknown
  switch (typeof schema.type === 'string' ? schema.type : schema.type?.find((type) => type !== 'null')) {
    case 'object':
      return makeObject(schema)
    case 'array':
      return Array.from({ length: schema.minItems ?? 1 }, () => makeExample(schema.items ?? {}, `${name}[]`))
    case 'integer':
    case 'number':
      return Math.max(schema.minimum ?? 0, 0)
    case 'boolean':
      return schema.default ?? true
    case 'string':
      return makeText(schema)
    default:
      return schema.default ?? null
  }
}

function makeObject({ properties, additionalProperties, required }: JsonSchema): Record<string, unknown> {
  if (properties === undefined)
    return typeof additionalProperties === 'object' ? { example: makeExample(additionalProperties) } : {}
  const entries = Object.entries(properties).map(([name, schema]): [string, unknown] => [
    name,
    makeExample(schema, name),
  ])
  // Optional members without an example value are left out.
  return Object.fromEntries(
    entries.filter(([name, value]) => value !== null || required?.includes(name) === true),
  )
}

/** Tried one after the other, until one meets the pattern. */
const TEXTS = ['Example', 'example', '21:00']

/** The pattern of a serial id. */
const NUMERIC = String.raw`^\d+$`

function makeText({
  format,
  pattern,
  default: usual,
  minLength,
}: JsonSchema & { minLength?: number }): string {
  if (typeof usual === 'string') return usual
  if (pattern === NUMERIC) return '1001'
  switch (format) {
    case 'uuid':
    case 'guid':
      return '01920000-0000-7000-8000-000000000001'
    case 'date-time':
      return '2026-01-31T17:05:00.000Z'
    case 'date':
      return '2026-01-31'
    case 'email':
      return 'rosa@example.com'
    case 'uri':
      return 'https://example.com/'
    default:
      return (TEXTS.find((text) => isMet(pattern, text)) ?? 'example').padEnd(minLength ?? 0, 'e')
  }
}

function isMet(pattern: string | undefined, value: string): boolean {
  return pattern === undefined || new RegExp(pattern, 'u').test(value)
}

/** The same name may mean different things; a known value counts only if the schema accepts it. */
function fits(value: unknown, schema: JsonSchema): boolean {
  if (schema.enum !== undefined) return schema.enum.includes(value)
  const choices = schema.anyOf ?? schema.oneOf
  if (choices !== undefined)
    return choices.some(
      (choice) => choice.const === value || (choice.const === undefined && fits(value, choice)),
    )
  const types = schema.type === undefined ? [] : [schema.type].flat()
  if (types.length === 0) return schema.properties === undefined && schema.allOf === undefined
  if (typeof value === 'string' && !isMet(schema.pattern, value)) return false
  return types.some((type) => isOfType(value, type, schema.items))
}

function isOfType(value: unknown, type: string, items: JsonSchema = {}): boolean {
  switch (type) {
    case 'array':
      return Array.isArray(value) && value.every((item) => fits(item, items))
    case 'object':
      return typeof value === 'object' && value !== null && !Array.isArray(value)
    case 'integer':
      return Number.isInteger(value)
    default:
      return typeof value === type
  }
}
