import { APP_PATHS, SITE_PATHS } from '#core/contract/paths.ts'

export interface SiteLink {
  label: string
  path: string
}

/** Links of the header. */
export const HEADER_LINKS: readonly SiteLink[] = [
  { label: 'Integrations', path: SITE_PATHS.integrations },
  { label: 'Documentation', path: SITE_PATHS.documentation },
  { label: 'API', path: SITE_PATHS.api },
  { label: 'Blog', path: SITE_PATHS.blog },
  { label: 'Help', path: SITE_PATHS.helpCenter },
]

/** Groups of links in the footer of every page. */
export const FOOTER_LINKS: ReadonlyArray<{ title: string; links: readonly SiteLink[] }> = [
  {
    title: 'Product',
    links: [
      { label: 'Home', path: SITE_PATHS.home },
      { label: 'Integrations', path: SITE_PATHS.integrations },
      { label: 'API', path: SITE_PATHS.api },
    ],
  },
  {
    title: 'Learn',
    links: [
      { label: 'Documentation', path: SITE_PATHS.documentation },
      { label: 'Help center', path: SITE_PATHS.helpCenter },
      { label: 'Blog', path: SITE_PATHS.blog },
      { label: 'Webinars', path: SITE_PATHS.webinars },
    ],
  },
  {
    title: 'Company',
    links: [
      { label: 'About', path: SITE_PATHS.about },
      { label: 'Contact', path: SITE_PATHS.contact },
      { label: 'Status', path: SITE_PATHS.status },
    ],
  },
  {
    title: 'Legal',
    links: [
      { label: 'Privacy policy', path: SITE_PATHS.privacyPolicy },
      { label: 'Terms of service', path: SITE_PATHS.termsOfService },
      { label: 'Cookie policy', path: SITE_PATHS.cookies },
      { label: 'TCPA compliance', path: SITE_PATHS.tcpa },
      { label: 'Revoke consent', path: APP_PATHS.revoke },
      { label: 'Do not sell my data', path: `${SITE_PATHS.contact}?topic=do_not_sell` },
    ],
  },
]
