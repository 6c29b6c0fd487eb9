import { Router, type ErrorRequestHandler, type Request, type RequestHandler, type Response } from 'express'
import { QUEUE_BOARD_DOOR } from '#core/contract/paths.ts'
import { AppError } from '#core/errors.ts'
import { authorise } from '../identity/authorise.ts'
import type { ServerContext } from '../context.ts'
import { openBoard, queuesAway } from './open-board.ts'
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

/** `/admin/queues`: shows administrators the contents of Redis. It changes nothing. */
export function createQueueBoardRouter(context: ServerContext): Router {
  const router = Router()
  let opening: Promise<RequestHandler> | undefined
  router.use(async (request, response, next) => {
    response.set({ 'Cache-Control': 'no-store', 'Content-Security-Policy': POLICY })
    if (request.get('Authorization') !== undefined)
      await authorise(context, 'admin', request.get('Authorization'))
    else {
      try {
        await checkQueueCookie(context, request.get('Cookie'))
      } catch (error) {
        if (!isOpenedByHand(request) || !(error instanceof AppError) || error.status !== 401) throw error
        response.redirect(302, QUEUE_BOARD_DOOR)
        return
      }
    }
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      response.set('Allow', 'GET, HEAD')
      throw new AppError('method_not_allowed', 'The queue dashboard changes nothing.')
    }
    next()
  })
  router.use(async (request, response, next) => {
    opening ??= openBoard(context.operations.queues).catch((error: unknown) => {
      opening = undefined
      throw queuesAway(error)
    })
    const board = await opening
    keepAtHome(response)
    board(request, response, next)
  })
  router.use(answerPlainly)
  return router
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
 * Removes from its page what a browser would request from another origin; the policy would block it anyway.
 */
function keepAtHome(response: Response): void {
  const send = response.send.bind(response)
  response.send = (body: unknown) =>
    send(typeof body === 'string' ? body.replaceAll(/<link\b[^>]*\bhref="https?:[^>]*>/g, '') : body)
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
