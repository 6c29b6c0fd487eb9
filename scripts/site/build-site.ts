import { mkdir, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { SITE_PATHS } from '#core/contract/paths.ts'
import { SITE_FOLDER, type SiteIndex } from '#core/contract/site.ts'
import type { SiteContent, SiteRenderer } from '#web/site/site-content.ts'
import { buildAssets, buildRenderer } from './build-assets.ts'
import { renderApiReference } from './api-reference/render-api-reference.ts'
import { readArticle, readArticles } from './read-articles.ts'
import { writeFeed } from './write-feed.ts'
import { writeSearchIndex } from './write-search-index.ts'
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
  const { renderSite, highlightCode } = await loadRenderer(built)
  const content: SiteContent = {
    assets,
    builtAt: new Date().toISOString(),
    documentation: [
      ...readArticles('documentation', highlightCode),
      ...renderApiReference().map((page) => readArticle(page, highlightCode)),
    ],
    blog: readArticles('blog', highlightCode),
    legal: readArticles('legal', highlightCode),
    texts: readArticles('pages', highlightCode),
  }
  const pages = renderSite(content)
  await rm(out, { recursive: true, force: true })
  await mkdir(out, { recursive: true })
  const files: Array<[asked: string, name: string, text: string]> = [
    ...pages
      .filter(({ isMissing }) => isMissing !== true)
      .map(({ path: asked, html }): [string, string, string] => [asked, nameFile(asked), html]),
    ['/sitemap.xml', 'sitemap.xml', writeSitemap(pages)],
    ['/robots.txt', 'robots.txt', writeRobots()],
    [`${SITE_PATHS.blog}/feed.xml`, 'feed.xml', writeFeed(content.blog)],
    [`${SITE_PATHS.documentation}/search.json`, 'search.json', writeSearchIndex(content.documentation)],
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

async function loadRenderer(built: string): Promise<SiteRenderer> {
  const folder = path.join(built, '.site-renderer')
  try {
    const entry = await buildRenderer(REPOSITORY, folder)
    return (await import(pathToFileURL(entry).href)) as SiteRenderer
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** "/blog/a-post" is blog.a-post.html: no folders to make, and no two names alike. */
function nameFile(asked: string): string {
  return `${asked === '/' ? 'home' : asked.slice(1).replaceAll('/', '.')}.html`
}
