import type { SiteAssets, SiteContent } from '#web/site/site-content.ts'
import { renderApiReference } from './api-reference/render-api-reference.ts'
import { readArticle } from './read-article.ts'
import { readPages, type SiteSection } from './read-pages.ts'
import type { MarkdownParts } from './render-markdown.ts'

/** All content of the site's pages, except the cards for shared links. */
export function readContent(assets: SiteAssets, parts: MarkdownParts): SiteContent {
  const read = (section: SiteSection) => readPages(section).map((page) => readArticle(page, parts))
  return {
    assets,
    cards: {},
    builtAt: new Date().toISOString(),
    documentation: [
      ...read('documentation'),
      ...renderApiReference().map((page) => readArticle(page, parts)),
    ],
    blog: read('blog'),
    legal: read('legal'),
    texts: read('pages'),
  }
}
