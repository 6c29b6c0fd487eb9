import type { NextFunction, Request, RequestHandler, Response } from 'express'
import { FAILURE_ID_MARK } from '#core/contract/site.ts'
import { openSite, type Packed, type SiteFile, type SitePlace } from './open-site.ts'

export interface PublicSite {
  serve: RequestHandler
  /** The text of a page, for callers that fill something in; undefined if the site is not built. */
  read: (path: string) => Promise<string | undefined>
  /** Answers with the not-found page of this path; false if the site is not built. */
  sendMissing: (request: Request, response: Response) => Promise<boolean>
  /**
   * Answers with the failure page, which shows the request's id; false if that page cannot be read either.
   */
  sendFailure: (request: Request, response: Response, status: number) => Promise<boolean>
}

/**
 * The public site. The build makes its pages whole and compressed, with an ETag from their content (RFC 9110
 * §8.8.3).
 */
export function serveSite(folder: string, place: SitePlace): PublicSite {
  const site = openSite(folder, place)
  return {
    async serve(request: Request, response: Response, next: NextFunction) {
      if (request.method !== 'GET' && request.method !== 'HEAD') {
        next()
        return
      }
      const path = canonical(request.path)
      const file = await site.find(path)
      if (file === undefined) next()
      else if (path === request.path) send(request, response, 200, file)
      else response.redirect(301, path + request.url.slice(request.path.length))
    },
    async read(path) {
      return (await site.find(path))?.plain.bytes.toString()
    },
    async sendMissing(request, response) {
      const file = await site.findMissing(canonical(request.path))
      if (file !== undefined) send(request, response, 404, file)
      return file !== undefined
    },
    async sendFailure(request, response, status) {
      const file = await site.findFailure().catch(() => undefined)
      const page = file?.plain.bytes.toString().replace(FAILURE_ID_MARK, request.id ?? '')
      if (page !== undefined) response.status(status).set('Cache-Control', 'no-store').type('html').send(page)
      return page !== undefined
    },
  }
}

/**
 * Each page has one address: in lower case and without a trailing slash. A stranger's path may consist of
 * slashes only.
 */
function canonical(path: string): string {
  let end = path.length
  while (end > 1 && path[end - 1] === '/') end -= 1
  return path.slice(0, end).toLowerCase()
}

function send(request: Request, response: Response, status: number, file: SiteFile): void {
  const packed = choose(request, file)
  response.setHeader('Cache-Control', 'no-cache')
  response.setHeader('Vary', 'Accept-Encoding')
  response.setHeader('ETag', packed.etag)
  if (status === 200 && isKnown(request.headers['if-none-match'], packed.etag)) {
    response.writeHead(304).end()
    return
  }
  response.setHeader('Content-Type', file.type)
  response.setHeader('Content-Length', packed.bytes.length)
  if (packed.coding !== null) response.setHeader('Content-Encoding', packed.coding)
  response.writeHead(status)
  response.end(request.method === 'HEAD' ? undefined : packed.bytes)
}

function choose(request: Request, { packed, plain }: SiteFile): Packed {
  const taken = packed.find(({ coding }) => coding !== null && request.acceptsEncodings(coding) === coding)
  return taken ?? plain
}

function isKnown(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false
  const known = header.split(',').map((one) => one.trim().replace(/^W\//, ''))
  return known.includes(etag) || known.includes('*')
}
