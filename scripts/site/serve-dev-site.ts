import { readFile } from 'node:fs/promises'
import type { ServerResponse } from 'node:http'
import path from 'node:path'
import type { Connect, Plugin } from 'vite'
import { SITE_ORIGIN_MARK } from '#core/contract/site.ts'
import { fillLegalMarks, sayLegalWords } from '#core/domain/site/legal-words.ts'
import type { SiteAssets, SiteRenderer } from '#web/site/site-content.ts'
import { listIslands } from './build-assets.ts'
import { copyImages } from './copy-images.ts'
import { makeSite, type SiteFile } from './make-site.ts'

/**
 * Changes in these folders are shown on the next request; code that makes tables or the API reference needs a
 * restart.
 */
const SOURCES = ['docs/site', 'web/site']
const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.xml': 'application/xml; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
}

/** Only the server knows the installation's configuration (server/http/web/open-site.ts). */
const UNNAMED = sayLegalWords({ operator: {}, kept: {}, processors: {} })

/**
 * Serves the public pages during development: made as in the build (make-site.ts), with scripts and styles
 * from Vite.
 */
export function serveDevSite(repository: string): Plugin {
  const folders = SOURCES.map((folder) => path.join(repository, folder) + path.sep)
  const cache = path.join(repository, '.cache/dev-site')
  let made: Promise<readonly SiteFile[]> | undefined
  return {
    name: 'dev-site',
    configureServer(server) {
      // Made on demand, because it reads every route of the API and may never be needed.
      const make = async () => {
        const { readContent } = await import('./read-content.ts')
        const renderer = (await server.ssrLoadModule('/site/render-site.tsx')) as SiteRenderer
        const images = await copyImages(repository, cache)
        const parts = { highlightCode: renderer.highlightCode, images }
        return makeSite(renderer, readContent(await nameSources(repository), parts)).files
      }
      server.watcher.add(folders).on('all', (_event, file) => {
        if (!folders.some((folder) => file.startsWith(folder))) return
        made = undefined
        server.ws.send({ type: 'full-reload' })
      })
      /** @returns whether this plugin answered */
      const answer = async (request: Connect.IncomingMessage, response: ServerResponse): Promise<boolean> => {
        const asked = new URL(request.url ?? '/', 'http://localhost').pathname
        if (/^\/assets\/[\w-]+\.webp$/.test(asked)) {
          response.setHeader('Content-Type', 'image/webp')
          response.end(await readFile(path.join(cache, asked)))
          return true
        }
        if (request.method !== 'GET' || !isPage(asked)) return false
        made ??= make()
        const file = (await made).find(([at]) => at === asked)
        if (file === undefined) return false
        const [, name, text] = file
        response.setHeader('Content-Type', TYPES[path.extname(name)] ?? 'text/plain')
        response.end(
          fillLegalMarks(
            text.replaceAll(SITE_ORIGIN_MARK, `http://${request.headers.host ?? 'localhost'}`),
            UNNAMED,
          ),
        )
        return true
      }
      const pass = async (...[request, response, next]: Parameters<Connect.NextHandleFunction>) => {
        try {
          if (!(await answer(request, response))) next()
        } catch (error) {
          // The fault may be fixed by the next request.
          made = undefined
          next(error)
        }
      }
      server.middlewares.use((request, response, next) => void pass(request, response, next))
    },
  }
}

/** Vite's own paths, files of the app and calls of the server are no pages. */
function isPage(asked: string): boolean {
  return (
    /^\/(?!@|node_modules|src)[\w/-]*(?:\.(?:xml|txt|json))?$/.test(asked) &&
    !/^\/(?:api|auth|functions)\/v1/.test(asked)
  )
}

async function nameSources(repository: string): Promise<SiteAssets> {
  const islands = await listIslands(path.join(repository, 'web/site/client/islands'))
  const font = 'node_modules/@fontsource-variable/inter/files/inter-latin-wght-normal.woff2'
  return {
    css: '/site/site.css',
    font: `/@fs${path.join(repository, font)}`,
    script: '/site/client/site.ts',
    islands: Object.fromEntries(islands.map((name) => [name, `/site/client/islands/${name}.ts`])),
  }
}
