import { SITE_PATHS } from '#core/contract/paths.ts'
import type { RenderedPage, SiteContent, SiteRenderer } from '#web/site/site-content.ts'
import { writeFeed } from './write-feed.ts'
import { writeSearchIndex } from './write-search-index.ts'
import { writeRobots, writeSitemap } from './write-sitemap.ts'

/** The requested path, the name of the file that is sent for it, and its content. */
export type SiteFile = readonly [asked: string, name: string, text: string]

export interface MadeSite {
  files: readonly SiteFile[]
  /** not-found pages, by their kind */
  missing: readonly SiteFile[]
  /** for a page that could not be made */
  failure: SiteFile
}

/** Makes every file of the public site from docs/site, the code and the components of web/site. */
export function makeSite({ renderSite }: Pick<SiteRenderer, 'renderSite'>, content: SiteContent): MadeSite {
  const pages = renderSite(content)
  const of = (kind: RenderedPage['kind']) => pages.filter((page) => page.kind === kind)
  const [failure] = of('failure')
  if (failure === undefined) throw new Error('The site has no page for a failure')
  return {
    files: [
      ...of('page').map(({ path, html }): SiteFile => [path, nameFile(path), html]),
      ['/sitemap.xml', 'sitemap.xml', writeSitemap(pages)],
      ['/robots.txt', 'robots.txt', writeRobots()],
      [`${SITE_PATHS.blog}/feed.xml`, 'feed.xml', writeFeed(content.blog)],
      [`${SITE_PATHS.documentation}/search.json`, 'search.json', writeSearchIndex(content.documentation)],
    ],
    missing: of('missing').map(({ path, html }): SiteFile => [path, `missing-${nameFile(path)}`, html]),
    failure: [failure.path, 'failure.html', failure.html],
  }
}

/** "/blog/a-post" is blog.a-post.html: no folders are needed, and no two names are equal. */
function nameFile(asked: string): string {
  return `${asked === '/' ? 'home' : asked.slice(1).replaceAll('/', '.')}.html`
}
