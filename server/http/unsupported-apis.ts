import type { RequestHandler } from 'express'

const API = 'Its API is /api/v1, which /api/v1/openapi.json describes.'

/**
 * What the client library calls and this server has not, or not yet: each says no in the words that its part of the library
 * reads. No status is 404: to postgrest-js one without a body (HEAD) is success, to realtime-js an old server. None is 5xx either,
 * which some of them repeat.
 */
const REFUSALS: Readonly<Record<string, { status: number; body: object }>> = {
  // PostgREST's no to a schema that it does not show.
  '/rest/v1': {
    status: 406,
    body: { code: 'PGRST106', message: 'This server shows no tables at /rest/v1.', details: null, hint: API },
  },
  '/graphql/v1': {
    status: 400,
    body: {
      errors: [{ message: `This server has no /graphql/v1. ${API}`, extensions: { code: 'NOT_SUPPORTED' } }],
    },
  },
  // The storage service answers 400 whatever its own status is, which it tells in the body.
  '/storage/v1': {
    status: 400,
    body: {
      statusCode: '409',
      code: 'FeatureNotEnabled',
      error: 'FeatureNotEnabled',
      message: 'This server keeps no files yet: there is no /storage/v1.',
    },
  },
  // A socket sees no more than that it was refused; a broadcast by HTTP reads the reason.
  '/realtime/v1': {
    status: 400,
    body: { error: 'This server has no channels yet: there is no /realtime/v1.' },
  },
}

/** By the path that each lies at. The caller has answered its preflight. */
export const unsupportedApis: readonly (readonly [path: string, refuse: RequestHandler])[] = Object.entries(
  REFUSALS,
).map(([path, { status, body }]) => [
  path,
  (_request, response) => {
    response.status(status).set('Cache-Control', 'no-store').json(body)
  },
])
