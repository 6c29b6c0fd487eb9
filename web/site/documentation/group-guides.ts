import type { SiteArticle } from '../site-content.ts'

/** Groups the guides for the menu, in the order of each group's first guide. */
export function groupGuides(guides: readonly SiteArticle[]): Array<[group: string, guides: SiteArticle[]]> {
  return [...Map.groupBy(guides, ({ group }) => group)]
}
