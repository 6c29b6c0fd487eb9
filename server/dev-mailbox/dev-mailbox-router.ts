import { Router, type RequestHandler } from 'express'
import { AppError } from '#core/errors.ts'
import { isThisMachine } from '#core/http/is-this-machine.ts'
import { bringsToken, type TrustedAddresses } from '#core/http/may-read-metrics.ts'
import { listMails, readMail, readSource } from './read-mailbox.ts'
import { MAILBOX_STYLE, renderMailbox, renderMailPage } from './render-mailbox.ts'

/**
 * Allows only the mail's inline styles; scripts, requests and forms are blocked. Our own page shows it in a
 * frame.
 */
const MAIL_POLICY = "default-src 'none'; style-src 'unsafe-inline'; sandbox; frame-ancestors 'self'"

/**
 * Shows the mails that were written to a folder because there is no mail server (docs/contract.md §2): pages
 * for people, JSON for programs that ask for it. Mounted only if DEV_MAILBOX is set, and only for this
 * machine: mails may hold links that sign in. Behind proxies, a request must bring METRICS_TOKEN too.
 */
export function createDevMailbox(folder: string, trusted: TrustedAddresses & { port: number }): Router {
  const router = Router()
  router.use(forThisMachine(trusted))

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

function forThisMachine(trusted: TrustedAddresses & { port: number }): RequestHandler {
  const where = `http://localhost:${trusted.port}/dev/mailbox`
  const token = trusted.trustProxy === 0 ? '' : ', with METRICS_TOKEN as a bearer because TRUST_PROXY is set'
  return (request, response, next) => {
    const isKnown = trusted.trustProxy === 0 || bringsToken(request, trusted)
    if (!isKnown || !isThisMachine(request, trusted))
      throw new AppError('forbidden', `The mailbox is for this machine only, at ${where}${token}.`)
    response.set('Cache-Control', 'no-store')
    next()
  }
}

function orNotFound<T>(found: T | undefined): T {
  if (found === undefined) throw new AppError('not_found', 'There is no such mail.')
  return found
}
