import type { SiteArticle } from '#web/site/site-content.ts'
import type { SitePage } from './read-pages.ts'
import { renderMarkdown, type MarkdownParts } from './render-markdown.ts'

/** Words that people read in a minute, of a text that they want to understand. Code is copied or skipped, not read word by word. */
const WORDS_A_MINUTE = 220

/** A document of docs/site, or one that is made of the code, rendered. */
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
