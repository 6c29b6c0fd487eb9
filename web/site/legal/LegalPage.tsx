import { TriangleAlert } from 'lucide-react'
import { ArticleBody } from '../parts/ArticleBody.tsx'
import { ArticleContents } from '../parts/ArticleContents.tsx'
import { SiteDate } from '../parts/SiteDate.tsx'
import type { SiteArticle } from '../site-content.ts'

export function LegalPage({ document }: { document: SiteArticle }) {
  return (
    <div className="mx-auto grid max-w-[1120px] gap-x-16 px-4 pt-14 sm:px-6 sm:pt-20 @5xl:grid-cols-[minmax(0,1fr)_14rem] print:block print:pt-0">
      <article className="min-w-0">
        <h1 className="text-xl font-semibold tracking-tight">{document.title}</h1>
        {document.updated !== undefined && (
          <p className="mt-2 text-sm text-muted">
            Version of <SiteDate day={document.updated} />
          </p>
        )}
        <p className="mt-6 flex max-w-[43.75rem] items-start gap-3 rounded-lg bg-waiting-soft px-4 py-3 text-sm text-ink print:border print:border-line">
          <TriangleAlert aria-hidden className="mt-0.5 size-4 shrink-0 text-waiting" />
          <span>
            <strong className="font-semibold">A draft for counsel.</strong> It says what the product does, and
            has not been reviewed by a lawyer. Names and periods are those of this installation.
          </span>
        </p>
        <div className="mt-6 mb-8 max-w-[43.75rem] border-l-2 border-accent pl-4">
          <p className="text-xs font-medium text-faint">In plain words</p>
          <p className="mt-1 text-base text-pretty">{document.summary}</p>
        </div>
        <ArticleBody html={document.html} />
      </article>
      <ArticleContents
        headings={document.headings.filter(({ level }) => level === 'h2')}
        className="sticky top-24 hidden max-h-[calc(100dvh-7rem)] self-start overflow-y-auto @5xl:block"
      />
    </div>
  )
}
