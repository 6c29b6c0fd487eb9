import type { SiteContent } from '../site-content.ts'
import type { SitePage } from '../site-page.ts'
import { LegalPage } from './LegalPage.tsx'

/** One layout for each document of docs/site/legal. */
export function legalPages({ legal }: SiteContent): SitePage[] {
  return legal.map((document) => ({
    path: document.path,
    title: document.title,
    description: document.description,
    ...(document.updated === undefined ? {} : { updated: document.updated }),
    render: () => <LegalPage document={document} />,
  }))
}
