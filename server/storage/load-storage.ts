import type { RequestHandler } from 'express'
import type { ServerContext } from '../context.ts'

/** The storage service. Many processes take no file, so it is loaded with the first of its requests. */
export function loadStorage(context: ServerContext): RequestHandler {
  let loading: Promise<RequestHandler> | undefined
  return async (request, response, next) => {
    loading ??= import('./storage-router.ts').then(({ createStorageRouter }) => createStorageRouter(context))
    const answer = await loading
    await answer(request, response, next)
  }
}
