import { ChevronDown } from 'lucide-react'
import { SITE_PATHS } from '#core/contract/paths.ts'
import type { SiteArticle } from '../site-content.ts'
import { ArticleBody } from '../parts/ArticleBody.tsx'
import { ArticleContents } from '../parts/ArticleContents.tsx'
import { Neighbours } from '../parts/Neighbours.tsx'
import { SiteDate } from '../parts/SiteDate.tsx'
import { GuideMenu } from './GuideMenu.tsx'
import { GuideSearch } from './GuideSearch.tsx'

export interface GuidePageProps {
  guide: SiteArticle
  guides: readonly SiteArticle[]
  before: SiteArticle | undefined
  after: SiteArticle | undefined
}

/** Shows menu, guide and contents; on a phone the menu is closed above the guide. */
export function GuidePage({ guide, guides, before, after }: GuidePageProps) {
  return (
    <div className="mx-auto grid max-w-[1120px] gap-x-8 px-4 pt-6 sm:px-6 @3xl:grid-cols-[12rem_minmax(0,1fr)] @3xl:pt-10 @6xl:grid-cols-[12rem_minmax(0,1fr)_11rem] print:block">
      <div className="flex flex-col gap-6 @3xl:sticky @3xl:top-24 @3xl:max-h-[calc(100dvh-7rem)] @3xl:self-start print:hidden">
        <GuideSearch />
        <details className="site-menu rounded-lg border border-line bg-surface @3xl:hidden">
          <summary className="flex min-h-10 items-center justify-between px-4 text-sm font-medium">
            All guides
            <ChevronDown aria-hidden className="size-4 text-muted" />
          </summary>
          <nav aria-label="All guides" className="border-t border-line px-4 py-3">
            <GuideMenu guides={guides} path={guide.path} />
          </nav>
        </details>
        {/* The search results cover the menu, so only the results scroll. */}
        <nav
          aria-label="Guides"
          className="menu-frame relative -mx-2 hidden min-h-0 overflow-y-auto px-2 pb-2 @3xl:block"
        >
          <GuideMenu guides={guides} path={guide.path} />
        </nav>
      </div>
      <article className="min-w-0 pt-8 @3xl:pt-0">
        <p className="text-sm text-muted">
          <a href={SITE_PATHS.documentation} className="rounded-sm hover:text-ink hover:underline">
            Documentation
          </a>{' '}
          · {guide.group}
        </p>
        <h1 className="mt-2 text-xl font-semibold tracking-tight text-balance">{guide.title}</h1>
        <p className="mt-3 mb-8 max-w-[64ch] text-base text-pretty text-muted">{guide.description}</p>
        <ArticleBody html={guide.html} />
        {guide.updated !== undefined && (
          <p className="mt-12 text-sm text-muted">
            Last changed on <SiteDate day={guide.updated} /> · {guide.minutes} min to read
          </p>
        )}
        <Neighbours label="Guides before and after" before={before} after={after} />
      </article>
      <ArticleContents
        headings={guide.headings}
        className="sticky top-24 hidden max-h-[calc(100dvh-7rem)] self-start overflow-y-auto @6xl:block"
      />
    </div>
  )
}
