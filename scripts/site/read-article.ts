import type { SiteArticle } from '#web/site/site-content.ts'
import type { SitePage } from './read-pages.ts'
import { renderMarkdown, type MarkdownParts } from './render-markdown.ts'

/**
 * Words a minute for a reader who wants to understand the text. Code does not count, because it is copied or
 * skipped.
 */
const WORDS_A_MINUTE = 220

/** Renders a document of docs/site, or one made from the code. */
export function readArticle(
  { slug, path, meta, markdown, tries }: SitePage,
  parts: MarkdownParts,
): SiteArticle {
  const { html, headings } = renderMarkdown(markdown, parts, tries)
  const text = html.replaceAll(/<pre[^]*?<\/pre>/g, ' ')
  const words = text.replaceAll(/<[^>]+>/g, ' ').split(/\s+/).length
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
