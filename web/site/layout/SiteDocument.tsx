import { SITE_ORIGIN_MARK } from '#core/contract/site.ts'
import { rawHtml } from '../parts/raw-html.ts'
import type { SiteContent } from '../site-content.ts'
import type { SitePage } from '../site-page.ts'
import { SiteFooter } from './SiteFooter.tsx'
import { SiteHeader } from './SiteHeader.tsx'

export interface SiteDocumentProps {
  page: SitePage
  content: SiteContent
}

/** A whole HTML document. */
export function SiteDocument({ page, content }: SiteDocumentProps) {
  const { assets } = content
  return (
    <html lang="en">
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="leadwire-auth" content="/auth/v1" />
        <link rel="preload" href={assets.font} as="font" type="font/woff2" crossOrigin="anonymous" />
        <link rel="stylesheet" href={assets.css} />
        <script src="/theme.js" />
        <DocumentMeta page={page} card={content.cards[page.path]} />
        <link rel="icon" href="/favicon.svg" type="image/svg+xml" />
        <script type="module" src={assets.script} />
        {page.islands?.map((name) => (
          <script key={name} type="module" src={assets.islands[name]} />
        ))}
      </head>
      <body className="flex min-h-dvh flex-col">
        <a
          href="#main"
          className="absolute -top-32 left-4 z-50 rounded-md bg-raised px-4 py-2 text-sm font-medium shadow-float focus:top-3"
        >
          Skip to content
        </a>
        <SiteHeader path={page.path} />
        {/* Its parts use container queries in rem: enlarged text gets the layout of a smaller screen. */}
        <main id="main" tabIndex={-1} className="@container flex-1">
          {page.render(content)}
        </main>
        <SiteFooter />
      </body>
    </html>
  )
}

function DocumentMeta({ page, card = '/card.png' }: { page: SitePage; card: string | undefined }) {
  const title = page.path === '/' && page.kind === undefined ? page.title : `${page.title} · Leadwire`
  const canonical = SITE_ORIGIN_MARK + page.path
  return (
    <>
      <title>{title}</title>
      <meta name="description" content={page.description} />
      {/* Pages without their own address are kept out of search engines by their status. */}
      {page.kind === undefined && (
        <>
          <link rel="canonical" href={canonical} />
          <meta property="og:url" content={canonical} />
        </>
      )}
      <meta property="og:site_name" content="Leadwire" />
      <meta property="og:type" content={page.isArticle === true ? 'article' : 'website'} />
      <meta property="og:title" content={page.title} />
      <meta property="og:description" content={page.description} />
      <meta property="og:image" content={SITE_ORIGIN_MARK + card} />
      <meta property="og:image:width" content="1200" />
      <meta property="og:image:height" content="630" />
      <meta property="og:image:alt" content={`Leadwire: ${page.title.replace(/^Leadwire: /, '')}`} />
      <meta name="twitter:card" content="summary_large_image" />
      {page.structured !== undefined && (
        // Data, which the content security policy does not restrict.
        <script type="application/ld+json" {...rawHtml(writeStructured(page.structured))} />
      )}
    </>
  )
}

/** Writes JSON-LD; an escaped "<" cannot end the element. */
function writeStructured(structured: NonNullable<SitePage['structured']>): string {
  return JSON.stringify({ '@context': 'https://schema.org', ...structured }).replaceAll('<', '\\u003c')
}
