import { renderToStaticMarkup } from 'react-dom/server'
import { SiteDocument } from './layout/SiteDocument.tsx'
import { describeCard } from './describe-card.ts'
import type { RenderedPage, SiteCard, SiteContent } from './site-content.ts'
import type { SitePage } from './site-page.ts'
import { listPages } from './list-pages.ts'

// The build imports all of the site through this module.
export { highlightCode } from './highlight-code.ts'

/** Renders every page of the public site to HTML. Runs at build, in Node. */
export function renderSite(content: SiteContent): RenderedPage[] {
  return listPages(content).map((page) => renderPage(page, content))
}

/** Returns the texts for a picture of each page that can be shared. */
export function listCards(content: SiteContent): SiteCard[] {
  return listPages(content)
    .filter(({ isListed }) => isListed !== false)
    .map(describeCard)
}

function renderPage(page: SitePage, content: SiteContent): RenderedPage {
  const markup = renderToStaticMarkup(<SiteDocument page={page} content={content} />)
  return {
    path: page.path,
    html: `<!doctype html>${markup}`,
    isListed: page.isListed ?? true,
    kind: page.kind ?? 'page',
    ...(page.updated === undefined ? {} : { updated: page.updated }),
  }
}
