import { APP_PATHS, SITE_PATHS } from '#core/contract/paths.ts'
import { buttonClass } from '#web/ui/action/button-class.ts'
import { Badge } from '#web/ui/show/Badge.tsx'
import type { SitePage } from '../site-page.ts'

const SOON = [
  {
    path: SITE_PATHS.aiAnalytics,
    title: 'AI analytics',
    text: 'Planned: the results, duration and cost of calls. There is nothing to see yet, and nothing is counted.',
  },
  {
    path: SITE_PATHS.aiSettings,
    title: 'AI settings',
    text: 'Planned: the voice, the hours, and the consent that a call needs. There is nothing to set yet.',
  },
  {
    path: SITE_PATHS.aiCalling,
    title: 'AI calling',
    text: 'Planned: Leadwire calls people for you, but only those whose consent covers it. It makes no calls today.',
  },
]

/** Screens that exist by name only (docs/product.md §2). They promise nothing and have no buttons. */
export const soonPages: readonly SitePage[] = SOON.map(({ path, title, text }) => ({
  path,
  title,
  description: `${title}: coming soon. ${text}`,
  isListed: false,
  render: () => (
    <div className="mx-auto flex max-w-lg flex-col items-start gap-4 px-4 py-24 sm:py-32">
      <Badge>Coming soon</Badge>
      <h1 className="text-xl font-semibold tracking-tight">{title}</h1>
      <p className="text-base text-pretty text-muted">{text}</p>
      <a href={APP_PATHS.dashboard} className={`when-signed-in ${buttonClass('secondary')}`}>
        Back to the dashboard
      </a>
      <a href={SITE_PATHS.home} className={`when-signed-out ${buttonClass('secondary')}`}>
        Go to homepage
      </a>
    </div>
  ),
}))
