import type { RequestHandler } from 'express'
import { loadOnce } from '#core/load-once.ts'
import type { ServerContext } from '../context.ts'

/** The storage service. Many processes take no file, so it is loaded with the first of its requests. */
export function loadStorage(context: ServerContext): RequestHandler {
  const load = loadOnce(async () => (await import('./storage-router.ts')).createStorageRouter(context))
  return async (request, response, next) => {
    const answer = await load()
    await answer(request, response, next)
  }
}
