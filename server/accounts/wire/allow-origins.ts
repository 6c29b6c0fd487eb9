import type { Request, RequestHandler } from 'express'
import { LIMIT_HEADER } from '#core/contract/accounts/account-limit.ts'

const METHODS = 'GET, POST, PUT, PATCH, DELETE, OPTIONS'
const REQUEST_HEADERS = [
  'Accept',
  'Authorization',
  'Content-Type',
  'X-Client-IP',
  'X-Client-Info',
  'X-JWT-AUD',
  'X-Use-Cookie',
  'X-Supabase-Api-Version',
  'apikey',
  'x-retry-count',
  'x-region',
  'traceparent',
  'tracestate',
  'baggage',
  // The client library sends these for tables and files.
  'Prefer',
  'Accept-Profile',
  'Content-Profile',
  'Range',
  'Range-Unit',
  'Cache-Control',
  'x-upsert',
  'x-metadata',
  'If-None-Match',
  'If-Modified-Since',
  'If-Range',
  // Resumable uploads.
  'Tus-Resumable',
  'Upload-Length',
  'Upload-Metadata',
  'Upload-Offset',
].join(', ')
/** Without these a browser on another origin hides the error code from the client library. */
const EXPOSED_HEADERS = `X-Supabase-Api-Version, X-Total-Count, Link, x-relay-error, x-sb-error-code, Retry-After, Content-Range, Content-Disposition, Content-Length, ETag, Accept-Ranges, Range-Unit, Location, Preference-Applied, Proxy-Status, Tus-Resumable, Upload-Length, Upload-Metadata, Upload-Offset, Upload-Expires, ${LIMIT_HEADER}`

/** Any origin may call: credentials travel in the Authorization header, never in cookies. */
export const allowOrigins: RequestHandler = answerPreflights(
  { status: 204, maxAgeSeconds: 3600 },
  ({ method }) => method === 'OPTIONS',
)

/** The same for the data API, where OPTIONS without a preflight's header asks for the methods of a table. */
export const allowOriginsOfRows: RequestHandler = answerPreflights(
  { status: 200, maxAgeSeconds: 86_400 },
  (request) => request.method === 'OPTIONS' && request.get('Access-Control-Request-Method') !== undefined,
)

function answerPreflights(
  { status, maxAgeSeconds }: { status: 200 | 204; maxAgeSeconds: number },
  isPreflight: (request: Request) => boolean,
): RequestHandler {
  return (request, response, next) => {
    response.set({ 'Access-Control-Allow-Origin': '*', 'Access-Control-Expose-Headers': EXPOSED_HEADERS })
    if (!isPreflight(request)) {
      next()
      return
    }
    response
      .set({
        'Access-Control-Allow-Methods': METHODS,
        'Access-Control-Allow-Headers': REQUEST_HEADERS,
        'Access-Control-Max-Age': String(maxAgeSeconds),
      })
      .status(status)
      .end()
  }
}
