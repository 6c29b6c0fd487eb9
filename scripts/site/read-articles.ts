import type { SiteArticle, SiteRenderer } from '#web/site/site-content.ts'
import { readPages, type SitePage, type SiteSection } from './read-pages.ts'
import { renderMarkdown } from './render-markdown.ts'

/** Words that people read in a minute, of a text that they want to understand. */
const WORDS_A_MINUTE = 220

/** The documents of a section of docs/site, rendered. */
export function readArticles(
  section: SiteSection,
  highlightCode: SiteRenderer['highlightCode'],
): SiteArticle[] {
  return readPages(section).map((page) => readArticle(page, highlightCode))
}

/** One document, rendered. */
export function readArticle(
  { slug, path, meta, markdown }: SitePage,
  highlightCode: SiteRenderer['highlightCode'],
): SiteArticle {
  const { html, headings } = renderMarkdown(markdown, highlightCode)
  const words = html.replaceAll(/<[^>]+>/g, ' ').split(/\s+/).length
  return {
    slug,
    path,
    title: meta['title'] ?? slug,
    description: meta['description'] ?? '',
    html,
    headings,
    minutes: Math.max(1, Math.round(words / WORDS_A_MINUTE)),
    order: Number(meta['order'] ?? 0),
    group: meta['section'] ?? '',
    tags: (meta['tags'] ?? '').split(',').flatMap((tag) => (tag.trim() === '' ? [] : [tag.trim()])),
    summary: meta['summary'] ?? '',
    author: meta['author'] ?? 'Leadwire',
    ...(meta['date'] === undefined ? {} : { date: meta['date'] }),
    ...(meta['updated'] === undefined ? {} : { updated: meta['updated'] }),
  }
}
