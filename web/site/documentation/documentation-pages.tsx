import { SITE_PATHS } from '#core/contract/paths.ts'
import type { SiteArticle, SiteContent } from '../site-content.ts'
import type { SitePage } from '../site-page.ts'
import { GuideList } from './GuideList.tsx'
import { GuidePage } from './GuidePage.tsx'

const PAGE = {
  title: 'Documentation',
  description:
    'Guides to Leadwire: the first webhook, signatures, templates, retries and answers, receivers, posting leads, limits, and running it yourself.',
  islands: ['search'],
}

/** The list of guides, each guide, and a not-found page for the documentation. */
export function documentationPages({ documentation }: SiteContent): SitePage[] {
  const guides = documentation.toSorted((a, b) => a.order - b.order)
  return [
    {
      ...PAGE,
      path: SITE_PATHS.documentation,
      render: () => <GuideList guides={guides} />,
    },
    {
      ...PAGE,
      path: `${SITE_PATHS.documentation}/`,
      title: 'No such guide',
      kind: 'missing',
      isListed: false,
      render: () => <GuideList guides={guides} isMissing />,
    },
    ...guides.map((guide, at) => describe(guide, guides, at)),
  ]
}

function describe(guide: SiteArticle, guides: readonly SiteArticle[], at: number): SitePage {
  return {
    path: guide.path,
    title: guide.title,
    description: guide.description,
    islands: guide.path.startsWith(`${SITE_PATHS.documentation}/api/`)
      ? [...PAGE.islands, 'try']
      : PAGE.islands,
    isArticle: true,
    ...(guide.updated === undefined ? {} : { updated: guide.updated }),
    structured: {
      '@type': 'TechArticle',
      headline: guide.title,
      description: guide.description,
      ...(guide.updated === undefined ? {} : { dateModified: guide.updated }),
      author: { '@type': 'Organization', name: 'Leadwire' },
    },
    render: () => <GuidePage guide={guide} guides={guides} before={guides[at - 1]} after={guides[at + 1]} />,
  }
}
