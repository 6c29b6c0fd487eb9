import { mkdir, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { SITE_FOLDER, type SiteIndex } from '#core/contract/site.ts'
import type { RenderedPage, SiteContent, SiteRenderer } from '#web/site/site-content.ts'
import { buildAssets, buildRenderer } from './build-assets.ts'
import { writeRobots, writeSitemap } from './write-sitemap.ts'

const REPOSITORY = fileURLToPath(new URL('../..', import.meta.url))

/**
 * Makes the public site within the built web app: its pages are rendered here, once, by the components of web/site, so that the
 * server only sends files (server/http/web/serve-site.ts). Runs after `vite build`, which empties dist/web.
 */
export async function buildSite(): Promise<void> {
  const built = path.join(REPOSITORY, 'dist/web')
  const out = path.join(built, SITE_FOLDER)
  const assets = await buildAssets(REPOSITORY, built)
  const pages = await render({ assets, builtAt: new Date().toISOString() }, built)
  await rm(out, { recursive: true, force: true })
  await mkdir(out, { recursive: true })
  const files: Array<[asked: string, name: string, text: string]> = [
    ...pages
      .filter(({ isMissing }) => isMissing !== true)
      .map(({ path: asked, html }): [string, string, string] => [asked, nameFile(asked), html]),
    ['/sitemap.xml', 'sitemap.xml', writeSitemap(pages)],
    ['/robots.txt', 'robots.txt', writeRobots()],
  ]
  const missing = pages
    .filter(({ isMissing }) => isMissing === true)
    .map(({ path: under, html }): [string, string, string] => [under, `missing-${nameFile(under)}`, html])
  for (const [, name, text] of [...files, ...missing]) await writeFile(path.join(out, name), text)
  const index: SiteIndex = {
    pages: Object.fromEntries(files.map(([asked, name]) => [asked, name])),
    missing: Object.fromEntries(missing.map(([under, name]) => [under, name])),
  }
  // Last: who finds it finds the rest.
  await writeFile(path.join(out, 'index.json'), JSON.stringify(index, null, 2))
}

async function render(content: SiteContent, built: string): Promise<RenderedPage[]> {
  const renderer = path.join(built, '.site-renderer')
  try {
    const entry = await buildRenderer(REPOSITORY, renderer)
    const { renderSite } = (await import(pathToFileURL(entry).href)) as SiteRenderer
    return renderSite(content)
  } finally {
    await rm(renderer, { recursive: true, force: true })
  }
}

/** "/blog/a-post" is blog.a-post.html: no folders to make, and no two names alike. */
function nameFile(asked: string): string {
  return `${asked === '/' ? 'home' : asked.slice(1).replaceAll('/', '.')}.html`
}
