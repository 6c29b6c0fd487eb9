import type { SiteContent } from '../site-content.ts'
import type { SitePage } from '../site-page.ts'
import { LegalPage } from './LegalPage.tsx'

/** Pages for the documents of docs/site/legal, in one layout. */
export function legalPages({ legal }: SiteContent): SitePage[] {
  return legal.map((document) => ({
    path: document.path,
    title: document.title,
    description: document.description,
    ...(document.updated === undefined ? {} : { updated: document.updated }),
    render: () => <LegalPage document={document} />,
  }))
}
