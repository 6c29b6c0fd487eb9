import type { SiteArticle } from '../site-content.ts'
import { groupGuides } from './group-guides.ts'
import { GuideSearch } from './GuideSearch.tsx'

export interface GuideListProps {
  guides: readonly SiteArticle[]
  isMissing?: boolean
}

export function GuideList({ guides, isMissing = false }: GuideListProps) {
  return (
    <div className="mx-auto max-w-[1120px] px-4 pt-14 sm:px-6 sm:pt-20">
      <h1 className="text-xl font-semibold tracking-tight">
        {isMissing ? 'There is no such guide' : 'Documentation'}
      </h1>
      <p className="mt-3 max-w-[60ch] text-lg text-pretty text-muted">
        {isMissing
          ? 'It may have another name by now. These are all there are.'
          : 'Each guide ends with something to try. Every sample in it was run before it was published.'}
      </p>
      <div className="mt-8 max-w-md">
        <GuideSearch />
      </div>
      {groupGuides(guides).map(([group, members]) => (
        <section key={group} className="mt-12">
          <h2 className="text-base font-semibold">{group}</h2>
          <ul className="mt-3 grid gap-x-8 sm:grid-cols-2">
            {members.map((guide) => (
              <li key={guide.slug} className="border-t border-line">
                <a href={guide.path} className="group block rounded-sm py-4">
                  <span className="text-base font-medium text-accent-strong group-hover:underline">
                    {guide.title}
                  </span>
                  <span className="mt-1 block text-sm text-pretty text-muted">{guide.description}</span>
                </a>
              </li>
            ))}
          </ul>
        </section>
      ))}
    </div>
  )
}
