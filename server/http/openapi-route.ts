import { createHash } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import type { Operation } from './openapi/api-document.ts'
import { describeApi } from './openapi/describe-api.ts'
import { describeOperation } from './openapi/describe-operation.ts'
import { route, type Route } from './route.ts'

/** The route that answers with the description of all routes, itself included. */
export function describeRoutes(routes: readonly Route[]): Route {
  const self: Route = route({
    method: 'get',
    path: '/api/v1/openapi.json',
    who: 'public',
    summary: 'This document',
    description:
      'OpenAPI 3.1. With the `ETag` of an earlier answer as `If-None-Match` it is a 304 while nothing has changed.',
    answers: { 200: null, 304: null },
    handle: async ({ context, header }) => {
      const made = documents.get(context) ?? (await make([...routes, self], context.config.http.apiUrl))
      documents.set(context, made)
      const headers = { ETag: made.tag, 'Cache-Control': 'public, no-cache' }
      const known = header('If-None-Match')
        ?.split(',')
        .map((tag) => tag.trim().replace(/^W\//, ''))
      const isKnown = known?.some((tag) => tag === made.tag || tag === '*') === true
      return isKnown ? { status: 304, headers } : { status: 200, text: made.text, headers }
    },
  })
  // It names the server's address, and two servers in one process have two.
  const documents = new WeakMap<object, MadeDocument>()
  return self
}

interface MadeDocument {
  text: string
  tag: string
}

/** A route at a time: nobody's lead waits for the whole. */
async function make(routes: readonly Route[], apiUrl: string): Promise<MadeDocument> {
  const operations: Operation[] = []
  for (const one of routes) {
    operations.push(describeOperation(one))
    await setImmediate()
  }
  const text = JSON.stringify(describeApi(routes, apiUrl, operations))
  return { text, tag: `"${createHash('sha256').update(text).digest('base64url').slice(0, 22)}"` }
}
