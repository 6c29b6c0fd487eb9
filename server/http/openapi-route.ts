import { z } from 'zod'
import { problemSchema } from '#core/contract/problem.ts'
import { route, type Route, type Who } from './route.ts'

const SECURITY: Record<Who, readonly Record<string, readonly string[]>[]> = {
  public: [],
  anybody: [{}, { accessToken: [] }],
  user: [{ accessToken: [] }],
  'user by any proof': [{ accessToken: [] }],
  admin: [{ accessToken: [] }],
  source: [{ sourceKey: [] }],
  'source or user': [{ sourceKey: [] }, { accessToken: [] }],
}
const MEDIA_TYPES = {
  json: ['application/json'],
  'json or form': ['application/json', 'application/x-www-form-urlencoded'],
  batch: ['application/json', 'application/x-ndjson'],
  part: ['application/octet-stream'],
} as const

/** The route that answers with the description of all routes, itself included. */
export function describeRoutes(routes: readonly Route[]): Route {
  const self: Route = route({
    method: 'get',
    path: '/api/v1/openapi.json',
    who: 'public',
    summary: 'This document',
    answers: { 200: null },
    handle: async ({ context }) => {
      const document =
        documents.get(context) ?? JSON.stringify(describeApi([...routes, self], context.config.http.apiUrl))
      documents.set(context, document)
      return await Promise.resolve({ status: 200, text: document })
    },
  })
  // It names the server's address, and two servers in one process have two.
  const documents = new WeakMap<object, string>()
  return self
}

function describeApi(routes: readonly Route[], apiUrl: string): unknown {
  const paths: Record<string, Record<string, unknown>> = {}
  for (const one of routes) {
    const path = one.path.replaceAll(/:(\w+)/g, '{$1}')
    paths[path] = { ...paths[path], [one.method]: describeRoute(one) }
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Leadwire API', version: '1', description: 'Leads in, signed webhooks out.' },
    servers: [{ url: apiUrl }],
    paths,
    components: {
      schemas: { Problem: toSchema(problemSchema, 'output') },
      securitySchemes: {
        accessToken: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' },
        sourceKey: { type: 'http', scheme: 'bearer', description: 'The API key of a source (lw_src_…)' },
      },
    },
  }
}

function describeRoute(one: Route): unknown {
  const answers = Object.entries(one.answers).map(([status, schema]): [string, object] => [
    status,
    {
      description: Number(status) < 300 ? 'Done' : 'Refused',
      ...(schema === null
        ? {}
        : { content: { [mediaTypeOf(Number(status))]: { schema: toSchema(schema, 'output') } } }),
    },
  ])
  return {
    summary: one.summary,
    ...(one.who === 'admin' ? { description: 'Administrators only.' } : {}),
    ...(one.description === undefined ? {} : { description: one.description }),
    security: SECURITY[one.who],
    parameters: [...pathParameters(one.path), ...queryParameters(one.query)],
    ...(one.takes === undefined || one.body === undefined
      ? {}
      : {
          requestBody: {
            required: true,
            content: Object.fromEntries(
              MEDIA_TYPES[one.takes].map((type) => [
                type,
                { schema: toSchema(one.body ?? z.unknown(), 'input') },
              ]),
            ),
          },
        }),
    responses: {
      ...Object.fromEntries(answers),
      default: {
        description: 'What went wrong (RFC 9457)',
        content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
      },
    },
  }
}

/** A refusal is a problem, whatever else it says. */
function mediaTypeOf(status: number): string {
  return status < 400 ? 'application/json' : 'application/problem+json'
}

function pathParameters(path: string): unknown[] {
  return [...path.matchAll(/:(\w+)/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string', format: 'uuid' },
  }))
}

function queryParameters(query: z.ZodType | undefined): unknown[] {
  if (query === undefined) return []
  const { properties = {} } = toSchema(query, 'input') as { properties?: Record<string, unknown> }
  return Object.entries(properties).map(([name, schema]) => ({ name, in: 'query', required: false, schema }))
}

/** What JSON Schema cannot say (a transformation) becomes the schema of anything. */
function toSchema(schema: z.ZodType, io: 'input' | 'output'): object {
  const { $schema: _dialect, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: 'any' })
  return rest
}
