import type { RequestHandler } from 'express'
import { loadOnce } from '#core/load-once.ts'
import type { ServerContext } from '../context.ts'

const IS_BELOW = /^\/rest\/v1(?:\/|$)/i

/** The data API. Only programs of clients call it, so it is loaded with the first of their requests. */
export function openRest(context: ServerContext): RequestHandler {
  const load = loadOnce(async () => (await import('./rest-router.ts')).createRestRouter(context))
  return async (request, response, next) => {
    if (!IS_BELOW.test(request.path)) {
      next()
      return
    }
    const answer = await load()
    await answer(request, response, next)
  }
}
