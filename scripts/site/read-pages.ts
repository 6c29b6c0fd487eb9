import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { TryCall } from '#web/site/try-call.ts'
import { expandTables } from './tables/expand-tables.ts'

const FOLDER = fileURLToPath(new URL('../../docs/site/', import.meta.url))
export const SITE_SECTIONS = ['documentation', 'blog', 'legal', 'pages'] as const
export type SiteSection = (typeof SITE_SECTIONS)[number]

/** A page of docs/site. */
export interface SitePage {
  section: SiteSection
  /** the file's name without its ending */
  slug: string
  /** its path on the site */
  path: string
  /** the `key: value` lines at its top */
  meta: Readonly<Record<string, string>>
  /** the rest, with its tables filled in (scripts/site/tables/render-table.ts) */
  markdown: string
  /** calls that readers can send from it, by their headings */
  tries?: Readonly<Record<string, TryCall>>
}

/** Every page of a section, in the order of its file names. */
export function readPages(section: SiteSection): SitePage[] {
  return readdirSync(FOLDER + section)
    .filter((file) => file.endsWith('.md'))
    .toSorted()
    .map((file) => readPage(section, file.slice(0, -'.md'.length)))
}

function readPage(section: SiteSection, slug: string): SitePage {
  const { meta, body } = splitFrontMatter(readFileSync(`${FOLDER}${section}/${slug}.md`, 'utf8'))
  // The paths of other sections are the product's (docs/product.md §2).
  const folder = section === 'documentation' || section === 'blog' ? `/${section}` : ''
  return { section, slug, path: `${folder}/${slug}`, meta, markdown: expandTables(body) }
}

/**
 * Separates the `key: value` lines between two lines of dashes from the rest. Without the dashes all is the
 * rest.
 */
export function splitFrontMatter(text: string): { meta: Record<string, string>; body: string } {
  const [whole, lines] = /^---\n([^]*?)\n---\n/.exec(text) ?? []
  if (whole === undefined || lines === undefined) return { meta: {}, body: text }
  const pairs = lines.split('\n').map((line): [string, string] => {
    const colon = line.indexOf(':')
    return [line.slice(0, colon).trim(), line.slice(colon + 1).trim()]
  })
  return { meta: Object.fromEntries(pairs), body: text.slice(whole.length) }
}
