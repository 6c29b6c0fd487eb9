import { SITE_PATHS } from '#core/contract/paths.ts'
import type { SiteCard } from './site-content.ts'
import type { SitePage } from './site-page.ts'

/** Texts for the picture of a shared link. */
export function describeCard({ path, title, description }: SitePage): SiteCard {
  return {
    path,
    kicker: findKicker(path),
    // The card already shows the product's name above the title.
    title: title.replace(/^Leadwire: /, '').replace(/^./, (letter) => letter.toUpperCase()),
    text: description,
  }
}

const ROOMS: ReadonlyArray<readonly [path: string, kicker: string]> = [
  [`${SITE_PATHS.documentation}/api`, 'API reference'],
  [SITE_PATHS.documentation, 'Documentation'],
  [SITE_PATHS.blog, 'Blog'],
]
const LEGAL: readonly string[] = [
  SITE_PATHS.privacyPolicy,
  SITE_PATHS.termsOfService,
  SITE_PATHS.cookies,
  SITE_PATHS.tcpa,
]

/** Finds the site's section that a page is in; the section's first page is in none. */
function findKicker(path: string): string {
  const room = ROOMS.find(([root]) => path.startsWith(`${root}/`))
  return room?.[1] ?? (LEGAL.includes(path) ? 'Legal' : '')
}
