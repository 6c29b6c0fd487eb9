import type { RequestHandler } from 'express'
import type { ServerContext } from '../context.ts'

const IS_BELOW = /^\/rest\/v1(?:\/|$)/i

/** The data API. Only programs of clients call it, so it is loaded with the first of their requests. */
export function openRest(context: ServerContext): RequestHandler {
  let loading: Promise<RequestHandler> | undefined
  return async (request, response, next) => {
    if (!IS_BELOW.test(request.path)) {
      next()
      return
    }
    loading ??= import('./rest-router.ts').then(({ createRestRouter }) => createRestRouter(context))
    const answer = await loading
    await answer(request, response, next)
  }
}
