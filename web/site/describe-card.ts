import { SITE_PATHS } from '#core/contract/paths.ts'
import type { SiteCard } from './site-content.ts'
import type { SitePage } from './site-page.ts'

/** What the picture of a shared link says of its page. */
export function describeCard({ path, title, description }: SitePage): SiteCard {
  return {
    path,
    kicker: findKicker(path),
    // Of the home page the name stands above it already.
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

/** The part of the site that a page is in; the first pages of the parts are in none. */
function findKicker(path: string): string {
  const room = ROOMS.find(([root]) => path.startsWith(`${root}/`))
  return room?.[1] ?? (LEGAL.includes(path) ? 'Legal' : '')
}
