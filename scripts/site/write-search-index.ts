import type { SiteArticle } from '#web/site/site-content.ts'

/**
 * A part of a guide, under one heading, for the search in the browser (web/site/client/islands/search.ts).
 */
export interface SearchEntry {
  title: string
  heading: string
  path: string
  text: string
}

export function writeSearchIndex(articles: readonly SiteArticle[]): string {
  return JSON.stringify(articles.flatMap(splitArticle))
}

function splitArticle({ title, path, description, html }: SiteArticle): SearchEntry[] {
  const [opening = '', ...parts] = html.split(/<h[23] id="/)
  return [
    { title, heading: '', path, text: keepWords(`${description} ${readText(opening)}`.trim()) },
    ...parts.map((part) => {
      const [anchor = ''] = part.split('"', 1)
      const [heading = '', body = ''] = part.slice(anchor.length + 2).split(/<\/h[23]>/, 2)
      return { title, heading: readText(heading), path: `${path}#${anchor}`, text: keepWords(readText(body)) }
    }),
  ]
}

const ENTITIES: Readonly<Record<string, string>> = { lt: '<', gt: '>', quot: '"', amp: '&', '#x27': "'" }

function readText(html: string): string {
  return html
    .replaceAll(/<[^>]+>/g, ' ')
    .replaceAll(/&(lt|gt|quot|amp|#x27);/g, (whole, name: string) => ENTITIES[name] ?? whole)
    .replaceAll(/\s+/g, ' ')
    .trim()
}

/** Text that is searched but never shown: each of its words once. */
function keepWords(text: string): string {
  return [...new Set(text.split(' '))].join(' ')
}
