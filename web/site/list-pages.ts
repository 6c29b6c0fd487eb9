import { aboutPage } from './about/about-page.tsx'
import { homePage } from './home/home-page.tsx'
import { missingPage } from './missing-page.tsx'
import type { SiteContent } from './site-content.ts'
import type { SitePage } from './site-page.ts'

export function listPages(_content: SiteContent): readonly SitePage[] {
  return [homePage, aboutPage, missingPage]
}
