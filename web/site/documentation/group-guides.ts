import type { SiteArticle } from '../site-content.ts'

/** The groups of the menu, in the order of their first guides. */
export function groupGuides(guides: readonly SiteArticle[]): Array<[group: string, guides: SiteArticle[]]> {
  return [...Map.groupBy(guides, ({ group }) => group)]
}
