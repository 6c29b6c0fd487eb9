import { createHash } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { Operation } from './openapi/api-document.ts'
import { describeApi } from './openapi/describe-api.ts'
import { describeOperation } from './openapi/describe-operation.ts'
import { route, type Route } from './route.ts'

const pack = promisify(gzip)

/** The route that answers with the description of all routes, itself included. */
export function describeRoutes(routes: readonly Route[]): Route {
  const self: Route = route({
    method: 'get',
    path: '/api/v1/openapi.json',
    who: 'public',
    summary: 'Return this document',
    description:
      'It is OpenAPI 3.1. Send the `ETag` of an earlier answer as `If-None-Match` to get a 304 if nothing has changed.',
    answers: { 200: null, 304: null },
    handle: async ({ context, header }) => {
      const made = documents.get(context) ?? (await make([...routes, self], context.config.http.apiUrl))
      documents.set(context, made)
      // no-transform: otherwise a proxy could compress it again for each caller.
      const cached = 'public, no-cache, no-transform'
      const headers = { ETag: made.tag, 'Cache-Control': cached, Vary: 'Accept-Encoding' }
      const known = header('If-None-Match')
        ?.split(',')
        .map((tag) => tag.trim().replace(/^W\//, ''))
      const isKnown = known?.some((tag) => tag === made.tag || tag === '*') === true
      if (isKnown) return { status: 304, headers }
      return takesGzip(header('Accept-Encoding'))
        ? { status: 200, bytes: made.packed, headers: { ...headers, 'Content-Encoding': 'gzip' } }
        : { status: 200, bytes: made.whole, headers }
    },
  })
  // The document contains the server's address, and two servers in one process have two.
  const documents = new WeakMap<object, MadeDocument>()
  return self
}

/**
 * Compressed once: compressing it for each caller would take ten milliseconds of a processor, and anybody may
 * ask.
 */
interface MadeDocument {
  whole: Buffer
  packed: Buffer
  tag: string
}

/** RFC 9110 §12.5.3. */
function takesGzip(accepted = ''): boolean {
  return accepted.split(',').some((coding) => /^\s*(gzip|\*)\s*(;\s*q=(?!0(\.0*)?\s*$).*)?$/i.test(coding))
}

/** One route at a time, so that no lead waits for the whole document. */
async function make(routes: readonly Route[], apiUrl: string): Promise<MadeDocument> {
  const operations: Operation[] = []
  for (const one of routes) {
    operations.push(describeOperation(one))
    await setImmediate()
  }
  const whole = Buffer.from(JSON.stringify(describeApi(routes, apiUrl, operations)))
  const tag = `"${createHash('sha256').update(whole).digest('base64url').slice(0, 22)}"`
  return { whole, packed: await pack(whole), tag }
}
