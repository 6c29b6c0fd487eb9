import { Router, type ErrorRequestHandler, type Request, type Response } from 'express'
import { QUEUE_BOARD_DOOR } from '#core/contract/paths.ts'
import { AppError } from '#core/errors.ts'
import { loadOnce } from '#core/load-once.ts'
import { authorise } from '../identity/authorise.ts'
import type { Principal } from '../identity/find-live-session.ts'
import type { ServerContext } from '../context.ts'
import { showQueues } from '../operations/admin/show-queues.ts'
import { actOnBoard } from './act-on-board.ts'
import { addBanner, BANNER_PATHS, BANNER_SCRIPT } from './board-banner.ts'
import { openBoard } from './open-board.ts'
import { checkQueueCookie } from './queue-session.ts'

/**
 * The dashboard writes colours and widths into style attributes. Its scripts, fonts and calls may come only
 * from here.
 */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "base-uri 'self'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

/** `/admin/queues`: shows administrators the deliveries in PostgreSQL and the contents of Redis. */
export function createQueueBoardRouter(context: ServerContext): Router {
  const router = Router()
  const open = loadOnce(() => openBoard(context))
  router.use(async (request, response, next) => {
    response.set({ 'Cache-Control': 'no-store', 'Content-Security-Policy': POLICY })
    const caller = await findCaller(context, request, response)
    if (caller === undefined) return
    if (request.method === 'GET' || request.method === 'HEAD') next()
    else await actOnBoard(context, caller, request, response)
  })
  router.get(BANNER_PATHS.script, (_request, response) => {
    response.type('text/javascript').send(BANNER_SCRIPT)
  })
  router.get(BANNER_PATHS.problems, async (_request, response) => {
    const { problems, counted_at: countedAt } = await showQueues(context)
    response.json({ problems, age: Math.round((Date.now() - Date.parse(countedAt)) / 1000) })
  })
  router.use(async (request, response, next) => {
    const board = await open()
    changePages(response)
    board(request, response, next)
  })
  router.use(answerPlainly)
  return router
}

/** The administrator whose request this is; undefined if the browser was sent to fetch a cookie. */
async function findCaller(
  context: ServerContext,
  request: Request,
  response: Response,
): Promise<Principal | undefined> {
  const authorization = request.get('Authorization')
  if (authorization !== undefined) return (await authorise(context, 'admin', authorization)) as Principal
  try {
    return await checkQueueCookie(context, request.get('Cookie'))
  } catch (error) {
    if (!isOpenedByHand(request) || !(error instanceof AppError) || error.status !== 401) throw error
    response.redirect(302, QUEUE_BOARD_DOOR)
    return undefined
  }
}

/**
 * A person who types the address has no cookie yet, or an expired one. The app makes one for a signed-in
 * administrator and comes back with `opened`. If there is still no cookie then, another round would never
 * end.
 */
function isOpenedByHand(request: Request): boolean {
  const isPage =
    (request.method === 'GET' || request.method === 'HEAD') && !/^\/(?:api|static)\//.test(request.path)
  return isPage && request.accepts(['json', 'html']) === 'html' && request.query['opened'] === undefined
}

/**
 * Adds the banner to the dashboard's page, and removes what a browser would request from another origin: the policy
 * would block it anyway.
 */
function changePages(response: Response): void {
  const send = response.send.bind(response)
  response.send = (body: unknown) =>
    send(
      typeof body === 'string' && body.startsWith('<!DOCTYPE html>')
        ? addBanner(body.replaceAll(/<link\b[^>]*\bhref="https?:[^>]*>/g, ''))
        : body,
    )
}

/** Answers with a page, because the dashboard is opened in a browser. */
const answerPlainly: ErrorRequestHandler = (error: unknown, _request, response, next) => {
  if (!(error instanceof AppError) || error.status >= 500 || response.headersSent) {
    next(error)
    return
  }
  const [title, advice] =
    error.status === 401
      ? ['Not open', 'Open the queue dashboard from <a href="/admin">Administration</a>.']
      : ['Not allowed', 'The queue dashboard is for administrators. <a href="/">Back to Leadwire</a>']
  response.status(error.status).type('html').send(`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} · Leadwire</title>
<style>:root{color-scheme:light dark;font:16px/24px system-ui,sans-serif}main{max-width:36rem;margin:15vh auto;padding:0 16px}h1{font-size:20px;line-height:28px}</style>
</head>
<body><main><h1>${title}</h1><p>${error.message} ${advice}</p></main></body>
</html>
`)
}
