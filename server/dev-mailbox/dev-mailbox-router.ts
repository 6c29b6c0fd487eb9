import { Router, type RequestHandler } from 'express'
import { AppError } from '#core/errors.ts'
import { isThisMachine } from '#core/telemetry/is-this-machine.ts'
import { listMails, readMail, readSource } from './read-mailbox.ts'
import { MAILBOX_STYLE, renderMailbox, renderMailPage } from './render-mailbox.ts'

/** The mail's own styles stand in its elements; nothing else of it may do anything. Our page shows it in a frame. */
const MAIL_POLICY = "default-src 'none'; style-src 'unsafe-inline'; sandbox; frame-ancestors 'self'"

/**
 * Shows the mails that were written to a folder because there is no mail server (docs/contract.md §2): pages for people, JSON for
 * programs that ask for it. Mounted only where DEV_MAILBOX says so, and for this machine alone: mails can hold what lets
 * people in.
 */
export function createDevMailbox(folder: string): Router {
  const router = Router()
  router.use(forThisMachine)

  router.get('/', async (request, response) => {
    const mails = await listMails(folder)
    if (request.accepts(['html', 'json']) === 'json') response.json({ data: mails })
    else response.type('html').send(renderMailbox(mails))
  })
  router.get('/style.css', (_request, response) => {
    response.type('css').send(MAILBOX_STYLE)
  })
  router.get('/:id.eml', async (request, response) => {
    response.type('text/plain').send(await readSource(folder, request.params.id).then(orNotFound))
  })
  router.get('/:id/html', async (request, response) => {
    const mail = await readMail(folder, request.params.id).then(orNotFound)
    response.set('Content-Security-Policy', MAIL_POLICY).type('html').send(mail.html)
  })
  router.get('/:id', async (request, response) => {
    const mail = await readMail(folder, request.params.id).then(orNotFound)
    if (request.accepts(['html', 'json']) === 'json') response.json(mail)
    else response.type('html').send(renderMailPage(mail))
  })
  return router
}

const forThisMachine: RequestHandler = (request, response, next) => {
  if (!isThisMachine(request)) throw new AppError('forbidden', 'The mailbox is for this machine only.')
  response.set('Cache-Control', 'no-store')
  next()
}

function orNotFound<T>(found: T | undefined): T {
  if (found === undefined) throw new AppError('not_found', 'There is no such mail.')
  return found
}
