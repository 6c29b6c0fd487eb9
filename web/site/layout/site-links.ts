import { SITE_PATHS } from '#core/contract/paths.ts'

export interface SiteLink {
  label: string
  path: string
}

/** What stands in the line at the top. */
export const HEADER_LINKS: readonly SiteLink[] = [{ label: 'About', path: SITE_PATHS.about }]

/** The groups at the foot of every page. */
export const FOOTER_LINKS: ReadonlyArray<{ title: string; links: readonly SiteLink[] }> = [
  { title: 'Company', links: [{ label: 'About', path: SITE_PATHS.about }] },
]
