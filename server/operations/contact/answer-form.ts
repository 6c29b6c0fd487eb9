import type { ErrorRequestHandler, Request, RequestHandler, Response } from 'express'
import { CONTACT_LIMITS } from '#core/contract/operations/contact-message.ts'
import { describeError } from '#core/telemetry/describe-error.ts'
import type { ServerContext } from '../../context.ts'
import { takeBytes } from '../../http/body/decode-body.ts'
import { describeTooMany } from '../../http/rate-limits.ts'
import { readForm } from '../../http/body/read-form.ts'
import {
  BUSY_RETRY_AFTER_SECONDS,
  recogniseError,
  RETRY_AFTER_SECONDS,
} from '../../http/errors/recognise-error.ts'
import type { PublicSite } from '../../http/web/serve-site.ts'
import { readCaller, type Caller } from '../../identity/caller.ts'
import { nameSender } from '../../http/name-sender.ts'
import { fillContactPage } from './fill-contact-page.ts'
import { receiveContactMessage, type ContactReceipt } from './receive-contact-message.ts'

export interface SiteForm {
  /** of its page, and of its submission */
  path: string
  kind: 'message' | 'interest'
  /** the page after a successful submission */
  done: string
}

/** Handles a submitted form, or answers with its page again: the faults, and all that was typed. */
export function answerForm(
  context: ServerContext,
  site: Pick<PublicSite, 'read'>,
  { path, kind, done }: SiteForm,
): { take: RequestHandler; fail: ErrorRequestHandler } {
  async function sendBack(response: Response, status: number, fields: object, faults: Faults) {
    const page = await site.read(path)
    response.status(status).set('Cache-Control', 'no-store')
    if (page === undefined) response.type('text/plain').send(faults.map(({ message }) => message).join('\n'))
    else response.type('html').send(fillContactPage(page, { ...fields }, faults))
  }

  async function take(request: Request, response: Response, from: Caller): Promise<void> {
    const fields = readForm(takeBytes(request))
    const receipt = await receiveContactMessage(context, fields, from, kind)
    if (receipt.outcome === 'kept') {
      response.set('Cache-Control', 'no-store')
      response.redirect(303, `${done}?reference=${receipt.reference}`)
    } else if (receipt.outcome === 'faulty') await sendBack(response, 422, fields, receipt.errors)
    else {
      const seconds = receipt.retry_after_seconds
      response.set('Retry-After', String(seconds))
      await sendBack(response, 429, fields, [{ path: '', message: describeTooMany('messages', seconds) }])
    }
  }

  return {
    // A faulty form does not count against the limit, so that people may correct it. It still costs some
    // milliseconds.
    take: async (request, response) => {
      const from = readCaller(request)
      await context.admission.inAccountQueue(nameSender(undefined, request), () =>
        take(request, response, from),
      )
    },
    fail: async (error: unknown, request, response, next) => {
      const known = recogniseError(error)
      if (known === 'body_too_large') {
        const message = `Message is too long (at most ${CONTACT_LIMITS.message} characters)`
        await sendBack(response, 413, {}, [{ path: 'message', message }])
      } else if (known === 'database_away' || known === 'database_busy' || known === 'server_busy') {
        context.logger.error({ req_id: request.id, failure: describeError(error) }, 'a request failed')
        const seconds = known === 'server_busy' ? BUSY_RETRY_AFTER_SECONDS : RETRY_AFTER_SECONDS
        response.set('Retry-After', String(seconds))
        await sendBack(response, 503, readForm(takeBytes(request)), [{ path: '', message: AWAY }])
      } else next(error)
    },
  }
}

type Faults = Extract<ContactReceipt, { outcome: 'faulty' }>['errors']

const AWAY = 'It could not be kept just now, for a reason of ours. Wait a moment, and send it again.'
