import { fileURLToPath } from 'node:url'
import compression from 'compression'
import express, { type Express } from 'express'
import { AppError } from '#core/errors.ts'
import {
  allowOrigins,
  allowOriginsOfRows,
  createAuthRouter,
  listCaptchaSources,
} from './accounts/accounts.ts'
import type { ServerContext } from './context.ts'
import { createDevMailbox } from './dev-mailbox/dev-mailbox-router.ts'
import { unsupportedApis } from './http/unsupported-apis.ts'
import { handleErrors } from './http/errors/handle-errors.ts'
import { logRequests } from './http/log-requests.ts'
import { createQueueBoardRouter } from './queue-board/queue-board-router.ts'
import { QUEUE_BOARD_PATH } from './queue-board/queue-session.ts'
import { refusePlainRequests } from './realtime/refuse-plain-requests.ts'
import { apiRoutes } from './api-routes.ts'
import { createHealthRouter } from './http/health-router.ts'
import { mountAlone, mountRoutes } from './http/mount-routes.ts'
import { takeLead } from './leads/ingest-routes.ts'
import { setSecurityHeaders } from './http/security-headers.ts'
import { openRest } from './rest/open-rest.ts'
import { REST_PATH } from './rest/rest-path.ts'
import { createContactRouter } from './operations/contact/contact-router.ts'
import { loadStorage } from './storage/load-storage.ts'
import { describeInstallation } from './http/web/describe-installation.ts'
import { serveSite } from './http/web/serve-site.ts'
import { serveWeb } from './http/web/serve-web.ts'

const WEB_FOLDER = fileURLToPath(new URL('../dist/web/', import.meta.url))

/** The whole URL space of docs/contract.md §3. */
export function createApp(context: ServerContext, webFolder = WEB_FOLDER): Express {
  const { config } = context
  const app = express()
  app.disable('x-powered-by')
  app.set('trust proxy', config.http.trustProxy)
  app.set('etag', false)
  app.use(context.proxies.watch)
  app.use(logRequests(context))
  app.use(setSecurityHeaders(config.http, listCaptchaSources(config.auth.captcha)))
  // Leads arrive by the hundred a second: their call comes before all other middleware, and its answers are
  // too short to compress.
  app.use(mountAlone(context, takeLead))
  // Public pages are requested often as well, and are already compressed.
  const site = serveSite(webFolder, {
    publicUrl: config.http.publicUrl,
    authPath: config.auth.mountPath,
    installation: describeInstallation(config),
  })
  app.use(site.serve)
  app.use(createContactRouter(context, site))
  // Files are sent as they are: compression would void their lengths, ranges and tags.
  app.use('/storage/v1', allowOrigins, loadStorage(context))
  app.use(compression())
  app.use(createHealthRouter(context))
  if (config.mail.showMailbox) app.use('/dev/mailbox', createDevMailbox(config.mail.folder, config.http))
  app.use(config.auth.mountPath === '' ? '/' : config.auth.mountPath, createAuthRouter(context))
  // The client library calls functions from other origins too, so their preflights are answered first.
  app.use('/functions/v1', allowOrigins)
  app.use('/realtime/v1', allowOrigins, refusePlainRequests())
  for (const [path, refuse] of unsupportedApis) app.use(path, allowOrigins, refuse)
  app.use(REST_PATH, allowOriginsOfRows)
  app.use(openRest(context))
  app.use(mountRoutes(context, apiRoutes))
  app.use(QUEUE_BOARD_PATH, createQueueBoardRouter(context))
  app.use(['/api/v1', '/auth/v1', '/functions/v1', '/realtime', '/storage'], () => {
    throw new AppError('not_found', 'Nothing is here. /api/v1/openapi.json lists what is.')
  })
  app.use(serveWeb(webFolder, config.auth.mountPath, site))
  app.use((request, response) => {
    response.set('Allow', 'GET, HEAD')
    throw new AppError('method_not_allowed', `${request.method} is not supported here.`)
  })
  app.use(handleErrors(context.logger, site))
  return app
}
