import { SITE_ORIGIN_MARK } from '#core/contract/site.ts'
import type { RenderedPage } from '#web/site/site-content.ts'

/** sitemaps.org, protocol 0.9. */
export function writeSitemap(pages: readonly RenderedPage[]): string {
  const listed = pages.filter(({ isListed }) => isListed)
  const entries = listed.map(({ path, updated }) => {
    const changed = updated === undefined ? '' : `<lastmod>${updated}</lastmod>`
    return `  <url><loc>${SITE_ORIGIN_MARK}${path}</loc>${changed}</url>`
  })
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">',
    ...entries,
    '</urlset>\n',
  ].join('\n')
}

/** RFC 9309. Search engines must not list pages behind a sign-in, or links that give access. */
export function writeRobots(): string {
  return [
    'User-agent: *',
    'Disallow: /api/v1/',
    'Disallow: /auth/v1/',
    'Disallow: /posting-specs/',
    'Disallow: /admin',
    '',
    `Sitemap: ${SITE_ORIGIN_MARK}/sitemap.xml\n`,
  ].join('\n')
}
