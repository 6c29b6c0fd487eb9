import { Router } from 'express'
import { SITE_PATHS } from '#core/contract/paths.ts'
import type { FieldError } from '#core/contract/problem.ts'
import type { ServerContext } from '../../context.ts'
import { takeBytes } from '../../http/decode-body.ts'
import { describeTooMany } from '../../http/rate-limits.ts'
import { readForm } from '../../http/read-form.ts'
import { receiveBytes } from '../../http/receive-bytes.ts'
import type { PublicSite } from '../../http/web/serve-site.ts'
import { readCaller } from '../../identity/caller.ts'
import { fillContactPage } from './fill-contact-page.ts'
import { receiveContactMessage } from './receive-contact-message.ts'

/** A message of at most 5,000 characters, each of which may be twelve in a form. */
const LONGEST = 96 * 1024

/** What the form of the contact page sends: a form's own request, answered by pages, for it works without JavaScript. */
export function createContactRouter(context: ServerContext, site: Pick<PublicSite, 'read'>): Router {
  const router = Router()
  router.post(SITE_PATHS.contact, receiveBytes(LONGEST), async (request, response) => {
    const fields = readForm(takeBytes(request))
    const receipt = await receiveContactMessage(context, fields, readCaller(request))
    response.set('Cache-Control', 'no-store')
    if (receipt.outcome === 'kept') {
      response.redirect(303, `${SITE_PATHS.contact}/sent?reference=${receipt.reference}`)
      return
    }
    const faults: readonly FieldError[] =
      receipt.outcome === 'faulty'
        ? receipt.errors
        : [{ path: '', message: describeTooMany('messages', receipt.retry_after_seconds) }]
    if (receipt.outcome === 'too_many') response.set('Retry-After', String(receipt.retry_after_seconds))
    const page = await site.read(SITE_PATHS.contact)
    response.status(receipt.outcome === 'faulty' ? 422 : 429)
    if (page === undefined) response.type('text/plain').send(faults.map(({ message }) => message).join('\n'))
    else response.type('html').send(fillContactPage(page, fields, faults))
  })
  return router
}
