import { SITE_PATHS } from '#core/contract/paths.ts'
import type { SiteArticle } from '../site-content.ts'
import { groupGuides } from './group-guides.ts'

export function GuideMenu({ guides, path }: { guides: readonly SiteArticle[]; path: string }) {
  return (
    <div className="flex flex-col gap-5 text-sm">
      {groupGuides(guides).map(([group, members]) => (
        <div key={group}>
          <p className="text-xs font-medium text-faint">{group}</p>
          <ul className="mt-1">
            {members.map((guide) => (
              <li key={guide.slug}>
                <a
                  href={guide.path}
                  {...(guide.path === path ? { 'aria-current': 'page' } : {})}
                  className="-ml-2 block rounded-md px-2 py-1.5 text-muted hover:bg-hover hover:text-ink aria-[current]:bg-accent-soft aria-[current]:font-medium aria-[current]:text-accent-strong"
                >
                  {guide.title}
                </a>
              </li>
            ))}
          </ul>
        </div>
      ))}
      <a
        href={SITE_PATHS.api}
        className="-ml-2 rounded-md px-2 py-1.5 text-muted hover:bg-hover hover:text-ink"
      >
        API
      </a>
    </div>
  )
}
