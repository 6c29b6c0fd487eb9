import { z } from 'zod'
import { ADMIN_ROLE_WORDS } from '#core/contract/accounts/admin-role-words.ts'
import { rolesWith } from '#core/contract/accounts/admin-role.ts'
import { needsOf, type Route, type Who } from '../route.ts'
import type { BodyKind } from '../body/read-body.ts'
import type { ApiResponse, Content, JsonSchema, Operation, Parameter } from './api-document.ts'
import { EXAMPLE_BODIES } from './example-bodies.ts'
import { makeExample } from './make-example.ts'
import { findTag } from './tags.ts'
import { describeMembers } from './members/describe-members.ts'
import { exampleParameter, explainParameter, explainStatus, KEY_PARAMETER } from './words.ts'

const SECURITY: Record<Who, Operation['security']> = {
  public: [],
  anybody: [{}, { accessToken: [] }],
  user: [{ accessToken: [] }],
  'user by any proof': [{ accessToken: [] }],
  admin: [{ accessToken: [] }],
  source: [{ sourceKey: [] }],
  'source or user': [{ sourceKey: [] }, { accessToken: [] }],
}
/** The callers that are allowed, as a sentence. */
const CALLERS: Record<Who, string> = {
  public: 'Anybody may call this, without a token.',
  anybody: 'Anybody may call this, with or without an access token.',
  user: 'Needs an access token.',
  'user by any proof': 'Needs an access token, also of a session that still lacks its second factor.',
  admin: 'Needs an administrator’s access token.',
  source: 'Needs the API key of a source.',
  'source or user': 'Needs the API key of a source, or an access token.',
}
const MEDIA_TYPES = {
  json: ['application/json'],
  'json as written': ['application/json'],
  'json or form': ['application/json', 'application/x-www-form-urlencoded'],
  'short json or form': ['application/json', 'application/x-www-form-urlencoded'],
  batch: ['application/json', 'application/x-ndjson'],
  part: ['application/octet-stream'],
} as const

/** One row of the route table as an OpenAPI operation. */
export function describeOperation(route: Route): Operation {
  const path = route.path.replaceAll(/:(\w+)/g, '{$1}')
  const tag = findTag(path, route.method)
  return {
    operationId: nameOperation(route.method, path),
    tags: [tag.name],
    summary: route.summary,
    description: [route.description, CALLERS[route.who] + tellRoles(route)]
      .filter((text) => text !== undefined)
      .join('\n\n'),
    security: SECURITY[route.who],
    parameters: [
      ...pathParameters(route),
      ...queryParameters(route.query),
      ...(route.takesKey === true ? [KEY_PARAMETER] : []),
    ],
    ...(route.takes === undefined || route.body === undefined
      ? {}
      : { requestBody: describeBody(route, tag.slug) }),
    responses: {
      ...Object.fromEntries(
        Object.entries(route.answers).map(([status, schema]) => [
          status,
          describeAnswer(route, Number(status), schema, tag.slug),
        ]),
      ),
      '4XX': { $ref: '#/components/responses/Refused' },
      '5XX': { $ref: '#/components/responses/Failed' },
    },
  }
}

/** The roles that a call for administrators needs, unless every role may make it. */
function tellRoles(route: Route): string {
  const needs = needsOf(route)
  if (route.who !== 'admin' || needs === 'read') return ''
  return ` Their role must be ${rolesWith(needs)
    .map((role) => ADMIN_ROLE_WORDS[role])
    .join(' or ')}.`
}

/** An example of the body that a route takes. */
export function exampleBody(route: Route): unknown {
  const known = EXAMPLE_BODIES[`${route.method.toUpperCase()} ${route.path}`]
  return known ?? makeExample(toJsonSchema(route.body ?? z.unknown(), 'input'))
}

/** An example of a route’s answer. */
export function exampleAnswer(schema: z.ZodType): unknown {
  return makeExample(toJsonSchema(schema, 'output'))
}

/** A part that JSON Schema cannot express (a transformation) becomes the schema of any value. */
export function toJsonSchema(schema: z.ZodType, io: 'input' | 'output'): JsonSchema {
  const { $schema: _dialect, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: 'any' })
  return rest as JsonSchema
}

function describeBody(route: Route, room: string): NonNullable<Operation['requestBody']> {
  const schema = describeMembers(toJsonSchema(route.body ?? z.unknown(), 'input'), room)
  const example = exampleBody(route)
  const types = MEDIA_TYPES[route.takes ?? 'json']
  return {
    required: route.takes === 'part' || route.body?.safeParse({}).success !== true,
    description: route.takes === 'part' ? 'The bytes of the file' : 'The body of the request',
    content: Object.fromEntries(types.map((type) => [type, writeContent(type, schema, example)])),
  }
}

/** Lines are sent as text; JSON has them as a list. */
function writeContent(
  type: (typeof MEDIA_TYPES)[BodyKind][number],
  schema: JsonSchema,
  example: unknown,
): Content {
  switch (type) {
    case 'application/x-ndjson':
      return {
        schema: { type: 'string' },
        example: [example]
          .flat()
          .map((line) => JSON.stringify(line))
          .join('\n'),
      }
    case 'application/octet-stream':
      return {
        schema: { type: 'string', format: 'binary' },
        example: 'first_name,phone\nRosa,(202) 555-0143',
      }
    default:
      return { schema, example }
  }
}

function describeAnswer(route: Route, status: number, schema: z.ZodType | null, room: string): ApiResponse {
  const description = explainAnswer(route, status, schema)
  if (status === 200 && route.streams !== undefined) {
    const example = { schema: { type: 'string' }, example: route.streams }
    return { description, content: { 'text/event-stream': example } }
  }
  if (schema === null) {
    const isFile = status === 200 && route.path.endsWith('.csv')
    const text = { schema: { type: 'string' }, example: 'id,created_at\n…' }
    return isFile ? { description, content: { 'text/csv': text } } : { description }
  }
  // Every refusal is a problem document, with or without further members.
  const type = status < 400 ? 'application/json' : 'application/problem+json'
  const described = describeMembers(toJsonSchema(schema, 'output'), room)
  return { description, content: { [type]: { schema: described, example: exampleAnswer(schema) } } }
}

/** The meaning of a status of this call. */
function explainAnswer({ method, path, streams }: Route, status: number, schema: z.ZodType | null): string {
  if (status !== 200 || method !== 'get') return explainStatus(status)
  if (streams !== undefined) return 'Server-sent events, as long as the stream stays open'
  if (path.endsWith('.csv')) return 'The file in UTF-8; its first line names the columns'
  const { properties = {} } = schema === null ? {} : toJsonSchema(schema, 'output')
  if ('next_cursor' in properties)
    return 'A page of rows. Send its `next_cursor` as `cursor` to get the next page; it is null on the last page'
  return 'data' in properties ? 'All rows, without pages' : 'The current state'
}

/** `GET /api/v1/webhook-configs/{id}/health` is `getWebhookConfigsIdHealth`. */
function nameOperation(method: string, path: string): string {
  const words = path.replace(/^\/(api|functions)\/v1\//, '').split(/[^a-zA-Z0-9]+/)
  return method + words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('')
}

function pathParameters({ path }: Route): Parameter[] {
  return [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => {
    const schema = { type: 'string', format: name === 'day' ? 'date' : 'uuid' }
    const description = name === 'day' ? 'The day in UTC, as YYYY-MM-DD' : 'Its id'
    return { name, in: 'path', required: true, description, schema, example: makeExample(schema) }
  })
}

function queryParameters(query: z.ZodType | undefined): Parameter[] {
  if (query === undefined) return []
  const { properties = {}, required = [] } = toJsonSchema(query, 'input')
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    in: 'query',
    required: required.includes(name) && schema.default === undefined,
    description: explainParameter(name),
    schema,
    example: exampleParameter(name, schema),
  }))
}
