import path from 'node:path'
import express, { Router, type Response } from 'express'
import { APP_PATHS } from '#core/contract/paths.ts'
import { isAppPath } from './name-app-path.ts'
import { openPage } from './open-page.ts'
import { servePacked } from './serve-packed.ts'
import type { PublicSite } from './serve-site.ts'

/**
 * The built web app. Every path that is no file is one of its screens, or its not-found page with status 404.
 * @param folder the build (dist/web)
 * @param authPath the path of the authentication service, for the page to find it
 * @param site the public pages, whose not-found page serves all paths
 */
export function serveWeb(folder: string, authPath: string, site: PublicSite): Router {
  const router = Router()
  // No build makes source maps; if there is one, it is not public.
  router.use((request, response, next) => {
    if (isSourceMap(request.path)) answerNotFound(response)
    else next()
  })
  router.use('/assets', servePacked(path.join(folder, 'assets')))
  router.use(
    express.static(folder, {
      index: false,
      redirect: false,
      setHeaders: (response, file) => {
        // Built files carry a hash of their content in the name.
        const isHashed = path.relative(folder, file).startsWith(`assets${path.sep}`)
        response.set('Cache-Control', isHashed ? 'public, max-age=31536000, immutable' : 'no-cache')
      },
    }),
  )
  router.use('/assets', (_request, response) => {
    // serve-packed.ts may have set one for a file that is not sent.
    response.removeHeader('Content-Encoding')
    answerNotFound(response)
  })
  router.use(async (request, response, next) => {
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      next()
      return
    }
    if (!isAppPath(request.path) && (await site.sendMissing(request, response))) return
    const page = await openPage(folder, request.path, authPath)
    response.set(isShared(request.path) ? SHARED : { 'Cache-Control': 'no-cache' })
    if (page === undefined) {
      response.status(503).type('text/plain').send('The web app is not built yet. Run `npm run build`.')
      return
    }
    response
      .status(isAppPath(request.path) ? 200 : 404)
      .type('html')
      .send(page)
  })
  return router
}

/**
 * A page whose address alone gives access: no cache keeps it, no search engine lists it, and pages that it
 * links to do not learn its address.
 */
const SHARED = {
  'Cache-Control': 'no-store',
  'X-Robots-Tag': 'noindex, nofollow',
  'Referrer-Policy': 'no-referrer',
}

function isShared(requested: string): boolean {
  return requested.toLowerCase().startsWith(APP_PATHS.postingSpec.replace(':token', ''))
}

function isSourceMap(requested: string): boolean {
  try {
    return /\.map(\.br|\.gz)?$/i.test(decodeURIComponent(requested))
  } catch {
    // No file has such a name either.
    return false
  }
}

function answerNotFound(response: Response): void {
  response.status(404).type('text/plain').send('Not found')
}
