import { z } from 'zod'
import type { Route, Who } from '../route.ts'
import type { ApiResponse, JsonSchema, Operation, Parameter } from './api-document.ts'
import { EXAMPLE_BODIES } from './example-bodies.ts'
import { makeExample } from './make-example.ts'
import { findTag } from './tags.ts'
import { explainParameter, explainStatus } from './words.ts'

const SECURITY: Record<Who, Operation['security']> = {
  public: [],
  anybody: [{}, { accessToken: [] }],
  user: [{ accessToken: [] }],
  'user by any proof': [{ accessToken: [] }],
  admin: [{ accessToken: [] }],
  source: [{ sourceKey: [] }],
  'source or user': [{ sourceKey: [] }, { accessToken: [] }],
}
/** Who may call it, as a sentence. */
const CALLERS: Record<Who, string> = {
  public: 'Anybody may call this, without a token.',
  anybody: 'Anybody may call this; an access token is read where there is one.',
  user: 'Needs an access token.',
  'user by any proof': 'Needs an access token; a second factor may still be owed.',
  admin: 'Needs an administrator’s access token.',
  source: 'Needs the API key of a source.',
  'source or user': 'Needs the API key of a source, or an access token.',
}
const MEDIA_TYPES = {
  json: ['application/json'],
  'json or form': ['application/json', 'application/x-www-form-urlencoded'],
  batch: ['application/json', 'application/x-ndjson'],
  part: ['application/octet-stream'],
} as const

/** One row of the route table in the words of OpenAPI. */
export function describeOperation(route: Route): Operation {
  const path = route.path.replaceAll(/:(\w+)/g, '{$1}')
  return {
    operationId: nameOperation(route.method, path),
    tags: [findTag(path, route.method).name],
    summary: route.summary,
    description: [route.description, CALLERS[route.who]].filter((text) => text !== undefined).join('\n\n'),
    security: SECURITY[route.who],
    parameters: [...pathParameters(route), ...queryParameters(route.query)],
    ...(route.takes === undefined || route.body === undefined ? {} : { requestBody: describeBody(route) }),
    responses: {
      ...Object.fromEntries(
        Object.entries(route.answers).map(([status, schema]) => [
          status,
          describeAnswer(route, Number(status), schema),
        ]),
      ),
      '4XX': problem('Refused, with the reason (RFC 9457)'),
      '5XX': problem('It could not be done for a reason of ours (RFC 9457)'),
    },
  }
}

/** What a route takes, as an example. */
export function exampleBody(route: Route): unknown {
  const known = EXAMPLE_BODIES[`${route.method.toUpperCase()} ${route.path}`]
  return known ?? makeExample(toJsonSchema(route.body ?? z.unknown(), 'input'))
}

/** What a route answers, as an example. */
export function exampleAnswer(schema: z.ZodType): unknown {
  return makeExample(toJsonSchema(schema, 'output'))
}

/** What JSON Schema cannot say (a transformation) becomes the schema of anything. */
export function toJsonSchema(schema: z.ZodType, io: 'input' | 'output'): JsonSchema {
  const { $schema: _dialect, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: 'any' })
  return rest as JsonSchema
}

function describeBody(route: Route): NonNullable<Operation['requestBody']> {
  const schema = toJsonSchema(route.body ?? z.unknown(), 'input')
  const example = exampleBody(route)
  const types = MEDIA_TYPES[route.takes ?? 'json']
  return {
    required: true,
    description: route.takes === 'part' ? 'Bytes of the file, as they are' : 'What the call is to do',
    content: Object.fromEntries(
      // Of lines and forms the example is the same, written in their way.
      types.map((type) => [type, type === 'application/json' ? { schema, example } : { schema }]),
    ),
  }
}

function describeAnswer(route: Route, status: number, schema: z.ZodType | null): ApiResponse {
  const description = explainStatus(status)
  if (schema === null) {
    const isFile = status === 200 && route.path.endsWith('.csv')
    return isFile
      ? { description: 'The file', content: { 'text/csv': { schema: { type: 'string' } } } }
      : { description }
  }
  // A refusal is a problem, whatever else it says.
  const type = status < 400 ? 'application/json' : 'application/problem+json'
  return {
    description,
    content: { [type]: { schema: toJsonSchema(schema, 'output'), example: exampleAnswer(schema) } },
  }
}

function problem(description: string): ApiResponse {
  return {
    description,
    content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
  }
}

/** `GET /api/v1/webhook-configs/{id}/health` is `getWebhookConfigsIdHealth`. */
function nameOperation(method: string, path: string): string {
  const words = path.replace(/^\/(api|functions)\/v1\//, '').split(/[^a-zA-Z0-9]+/)
  return method + words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('')
}

function pathParameters({ path }: Route): Parameter[] {
  return [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => ({
    name,
    in: 'path',
    required: true,
    description: 'Which one: its id',
    schema: { type: 'string', format: 'uuid' },
    example: makeExample({ type: 'string', format: 'uuid' }),
  }))
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
  }))
}
