import { aboutPage } from './company/about-page.tsx'
import { soonPages } from './company/soon-pages.tsx'
import { webinarsPages } from './company/webinars-pages.tsx'
import { blogPages } from './blog/blog-pages.tsx'
import { contactPages } from './contact/contact-pages.tsx'
import { documentationPages } from './documentation/documentation-pages.tsx'
import { failurePage } from './failure-page.tsx'
import { homePage } from './home/home-page.tsx'
import { legalPages } from './legal/legal-pages.tsx'
import { missingPage } from './missing-page.tsx'
import { textPages } from './parts/text-pages.tsx'
import { integrationsPage } from './products/integrations-page.tsx'
import { statusPage } from './status/status-page.tsx'
import type { SiteContent } from './site-content.ts'
import type { SitePage } from './site-page.ts'

/** Returns every page of the public site. */
export function listPages(content: SiteContent): readonly SitePage[] {
  return [
    homePage,
    aboutPage,
    integrationsPage,
    statusPage,
    ...webinarsPages,
    ...soonPages,
    ...contactPages,
    ...textPages(content),
    ...documentationPages(content),
    ...blogPages(content),
    ...legalPages(content),
    missingPage,
    failurePage,
  ]
}
