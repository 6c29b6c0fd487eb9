import { Router } from 'express'
import type { ServerContext } from '../context.ts'
import { mountRoutes } from '../http/mount-routes.ts'
import { answerOptions } from './answer-options.ts'
import { noSuchFunction } from './assign-procedure.ts'
import { answerFailures, invalidPath } from './answer-failure.ts'
import { negotiate } from './negotiate.ts'
import { noSuchTable } from './rest-error.ts'
import { REST_PATH } from './rest-path.ts'
import { listWrites, restRoutes } from './rest-routes.ts'

/** The data API on PostgREST's wire (docs/contract.md §3). The caller has already answered the preflight. */
export function createRestRouter(context: ServerContext): Router {
  const router = Router()
  router.use(REST_PATH, answerOptions(listWrites))
  router.use(mountRoutes(context, restRoutes))
  router.use(REST_PATH, (request) => {
    negotiate((name) => request.get(name))
    const [name = '', called, ...further] = request.path.split('/').slice(1)
    if (name === 'rpc' && called !== undefined && further.length === 0) throw noSuchFunction(called, [])
    throw name === '' || called !== undefined ? invalidPath() : noSuchTable(name)
  })
  router.use(REST_PATH, answerFailures(context))
  return router
}
