import { problemSchema, type Problem } from '#core/contract/problem.ts'
import type { Route } from '../route.ts'
import type { ApiDocument, ApiHeader, ApiResponse, Operation } from './api-document.ts'
import { describeOperation, toJsonSchema } from './describe-operation.ts'
import { describeMembers } from './members/describe-members.ts'
import { TAGS } from './tags.ts'

/**
 * The OpenAPI document of these routes, at the API's address.
 * @param operations of the routes, if they are already described: all at once take a tenth of a second
 */
export function describeApi(
  routes: readonly Route[],
  apiUrl: string,
  operations: readonly Operation[] = routes.map(describeOperation),
): ApiDocument {
  const paths: Record<string, Record<string, Operation>> = {}
  for (const [index, operation] of operations.entries()) {
    const { path: declared = '', method = '' } = routes[index] ?? {}
    const path = declared.replaceAll(/:(\w+)/g, '{$1}')
    paths[path] = { ...paths[path], [method]: operation }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Leadwire API',
      version: '1',
      summary: 'Leads in, signed webhooks out.',
      description:
        'Fields are in snake_case, times in ISO 8601 with their zone, and money in dollars as text with two decimals. Lists come in pages ' +
        '(pagination): they return `data` and `next_cursor`, and take `limit` and `cursor`. Errors are problems (RFC 9457) with a `code` ' +
        'that programs may branch on. Rows of other accounts are answered with 404.\n\n' +
        'An unknown parameter is ignored. An unknown member of a body is refused where its schema has `additionalProperties: false`; ' +
        'read-only members that the call itself returns are ignored. In a posted lead, an unknown member is kept in `custom`.\n\n' +
        'These calls take an `Idempotency-Key`: posting a lead, creating a webhook, an order, a test lead or a payment, rotating a secret, ' +
        'sending again, and adjusting a balance. For two days, the same request under the same key gets the first answer. ' +
        'Keys of posted leads are kept as long as the leads.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: apiUrl, description: 'This installation' }],
    tags: TAGS.map(({ name, description }) => ({ name, description })),
    paths,
    components: {
      responses: {
        Refused: describeProblem(
          'The request was refused, with the reason (RFC 9457): 400, 401, 403, 404, 405, 409, 413, 415, 422 or 429. ' +
            '[Errors](/documentation/errors) explains each `code`',
          REFUSED,
        ),
        Failed: describeProblem('The server could not do it (RFC 9457). You may try again', FAILED),
      },
      schemas: {
        Problem: {
          ...describeMembers(toJsonSchema(problemSchema, 'output'), 'description'),
          description: 'The reason why a request was refused. `errors` names each field that is wrong.',
        },
      },
      securitySchemes: {
        accessToken: {
          type: 'http',
          scheme: 'bearer',
          bearerFormat: 'JWT',
          description: 'The access token of a session, from the authentication service at /auth/v1',
        },
        sourceKey: { type: 'http', scheme: 'bearer', description: 'The API key of a source (lw_src_…)' },
      },
    },
  }
}

const REFUSED: Problem = {
  type: 'about:blank',
  title: 'The input is not valid',
  status: 422,
  detail: 'Webhook Name is required',
  code: 'validation_failed',
  errors: [{ path: 'webhook_name', message: 'Webhook Name is required' }],
}
const FAILED: Problem = {
  type: 'about:blank',
  title: 'Temporarily unavailable',
  status: 503,
  detail: 'The service cannot reach its database. Please try again.',
  code: 'unavailable',
  errors: [],
}

const REFUSAL_HEADERS: Readonly<Record<string, ApiHeader>> = {
  'Retry-After': {
    description: 'With 429 and 503: seconds to wait before you send the request again',
    schema: { type: 'integer', minimum: 0 },
    example: 12,
  },
  'X-Request-Id': {
    description: 'Identifies the request in the server’s log; every answer has one',
    schema: { type: 'string' },
    example: '3f8a1c52-7d1e-4a3b-9c1d-2b7a9e64c0f1',
  },
}

function describeProblem(description: string, example: Problem): ApiResponse {
  const schema = { $ref: '#/components/schemas/Problem' }
  return {
    description,
    headers: REFUSAL_HEADERS,
    content: { 'application/problem+json': { schema, example } },
  }
}
