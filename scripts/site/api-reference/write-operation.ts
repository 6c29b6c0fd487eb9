import type { Content, JsonSchema, Operation } from '#server/http/openapi/api-document.ts'
import { asCode, writeTable } from '../tables/write-table.ts'
import { readCall, writeSamples } from './write-samples.ts'

const TYPES: Readonly<Record<string, string>> = {
  string: 'text',
  integer: 'whole number',
  boolean: 'true or false',
  array: 'list',
}

/** Markdown of one call, from its heading on. @param isRun its samples can be run as they stand */
export function writeOperation(method: string, path: string, operation: Operation, isRun: boolean): string {
  const { summary, description, parameters, requestBody, responses } = operation
  return [
    `## ${method.toUpperCase()} ${path}`,
    `${summary}.`,
    description,
    ...(parameters.length === 0
      ? []
      : [
          '**Parameters**',
          writeTable(
            ['Parameter', 'In', 'Type', 'What it says'],
            parameters.map((one) => [
              asCode(one.name),
              one.in,
              describeType(one.schema),
              `${one.description}${one.required ? '. Required' : ''}`,
            ]),
          ),
        ]),
    ...(requestBody === undefined ? [] : ['**Body**', ...writeContent(requestBody.content, 'input')]),
    '**Samples**',
    writeSamples(readCall(method, path, operation), isRun ? ' run' : ''),
    ...Object.entries(responses).flatMap(([status, { description: says, content }]) =>
      status.endsWith('XX') || status === '304'
        ? []
        : [`**Answer ${status}.** ${says}.`, ...writeContent(content ?? {}, 'output')],
    ),
  ]
    .map((part) => part.trim())
    .join('\n\n')
}

function writeContent(content: Readonly<Record<string, Content>>, io: 'input' | 'output'): string[] {
  const types = Object.keys(content)
  const first = Object.values(content)[0]
  if (first === undefined) return []
  const rows = Object.entries(first.schema.properties ?? {}).map(([name, schema]) => {
    const isThere = first.schema.required?.includes(name) === true
    const presence = io === 'output' || isThere ? '' : ', may be left out'
    return [asCode(name), describeType(schema) + presence]
  })
  return [
    `As ${types.map(asCode).join(' or ')}.`,
    ...(rows.length === 0 ? [] : [writeTable(['Member', 'Type'], rows)]),
    ...(first.example === undefined
      ? []
      : [`\`\`\`json example\n${JSON.stringify(first.example, null, 2)}\n\`\`\``]),
  ]
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
