import { Router, type RequestHandler } from 'express'
import { SITE_PATHS } from '#core/contract/paths.ts'
import { AppError } from '#core/errors.ts'
import type { ServerContext } from '../../context.ts'
import { receiveBytes } from '../../http/body/receive-bytes.ts'
import type { PublicSite } from '../../http/web/serve-site.ts'
import { answerForm } from './answer-form.ts'

/** A message has at most 5,000 characters, each up to twelve bytes in a form. */
const LONGEST = 96 * 1024
const TYPE = 'application/x-www-form-urlencoded'

/**
 * The forms of the public site. They work without JavaScript, so they are plain requests, answered with
 * pages.
 */
export function createContactRouter(context: ServerContext, site: Pick<PublicSite, 'read'>): Router {
  const router = Router()
  for (const form of [
    { path: SITE_PATHS.contact, kind: 'message', done: `${SITE_PATHS.contact}/sent` },
    { path: SITE_PATHS.webinars, kind: 'interest', done: `${SITE_PATHS.webinars}/noted` },
  ] as const) {
    const { take, fail } = answerForm(context, site, form)
    router.post(form.path, refuseOtherTypes, receiveBytes(LONGEST), take, fail)
  }
  return router
}

const refuseOtherTypes: RequestHandler = (request, _response, next) => {
  const [type = ''] = (request.headers['content-type'] ?? TYPE).split(';', 1)
  if (type.trim().toLowerCase() !== TYPE)
    throw new AppError('unsupported_media_type', `This form is sent as ${TYPE}, as browsers do.`)
  next()
}
