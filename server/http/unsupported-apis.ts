import type { RequestHandler } from 'express'

const API = 'Its API is /api/v1, which /api/v1/openapi.json describes.'

/**
 * APIs that the client library calls and this server does not offer. Each refuses in the form that its part
 * of the library reads. None is 5xx, because parts of the library repeat those.
 */
const REFUSALS: Readonly<Record<string, { status: number; body: object }>> = {
  '/graphql/v1': {
    status: 400,
    body: {
      errors: [{ message: `This server has no /graphql/v1. ${API}`, extensions: { code: 'NOT_SUPPORTED' } }],
    },
  },
}

/** The refusals by path. The caller has already answered the preflight. */
export const unsupportedApis: readonly (readonly [path: string, refuse: RequestHandler])[] = Object.entries(
  REFUSALS,
).map(([path, { status, body }]) => [
  path,
  (_request, response) => {
    response.status(status).set('Cache-Control', 'no-store').json(body)
  },
])
