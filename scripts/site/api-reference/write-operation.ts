import type { Content, Operation, Parameter } from '#server/http/openapi/api-document.ts'
import { TRY_MARK } from '../render-markdown.ts'
import { writeSlug } from '../../documents/list-anchors.ts'
import { asCode, writeTable } from '../tables/write-table.ts'
import { describeType } from './describe-type.ts'
import { describeOmission, findTold, listMembers, type ToldMembers } from './list-members.ts'
import { readCall, writeSamples } from './write-samples.ts'

/**
 * Markdown of one call, with its heading.
 * @param isRun its samples can be run unchanged
 * @param told the members that the page has already listed
 */
export function writeOperation(
  method: string,
  path: string,
  operation: Operation,
  { isRun, told }: { isRun: boolean; told: ToldMembers },
): string {
  const heading = `${method.toUpperCase()} ${path}`
  const anchor = writeSlug(heading)
  const { summary, description, parameters, requestBody, responses } = operation
  return [
    `## ${heading}`,
    `${summary}.`,
    description,
    ...(parameters.length === 0
      ? []
      : [
          '**Parameters**',
          writeTable(
            ['Parameter', 'In', 'Type', 'Meaning'],
            parameters.map((one) => [
              asCode(one.name),
              one.in,
              describeType(one.schema),
              describeParameter(one),
            ]),
          ),
        ]),
    ...(requestBody === undefined
      ? []
      : ['**Body**', ...writeContent(requestBody.content, 'input', told, anchor)]),
    TRY_MARK,
    '**Samples**',
    writeSamples(readCall(method, path, operation), isRun ? ' run' : ''),
    // The refusals that every call may give are described once, on the first page.
    ...Object.entries(responses).flatMap(([status, answer]) =>
      '$ref' in answer || status === '304'
        ? []
        : [
            `**Answer ${status}.** ${answer.description}.`,
            ...writeContent(answer.content ?? {}, 'output', told, anchor),
          ],
    ),
  ]
    .map((part) => part.trim())
    .join('\n\n')
}

function describeParameter({ description, required, schema }: Parameter): string {
  if (required) return `${description}. Required`
  return schema.default === undefined ? description : `${description}. ${describeOmission(schema)}`
}

function writeContent(
  content: Readonly<Record<string, Content>>,
  io: 'input' | 'output',
  told: ToldMembers,
  anchor: string,
): string[] {
  const types = Object.keys(content)
  const first = Object.values(content)[0]
  if (first === undefined) return []
  const known = findTold(first.schema, told)
  const rows = known === undefined ? listMembers(first.schema, told, anchor, io) : []
  return [
    `As ${types.map(asCode).join(' or ')}.`,
    ...(known === undefined || known === anchor ? [] : [`It has the members [of this call](#${known}).`]),
    ...(rows.length === 0 ? [] : [writeTable(['Member', 'Type', 'Meaning'], rows)]),
    ...(first.example === undefined ? [] : [writeExample(first.example)]),
  ]
}

function writeExample(example: unknown): string {
  return typeof example === 'string'
    ? `\`\`\`text\n${example}\n\`\`\``
    : `\`\`\`json example\n${JSON.stringify(example, null, 2)}\n\`\`\``
}
