import { SITE_PATHS } from '#core/contract/paths.ts'
import { buttonClass } from '#web/ui/action/button-class.ts'
import type { SitePage } from './site-page.ts'

/**
 * The not-found page of every path; the browser writes the requested path in
 * (web/site/client/name-missing.ts).
 */
export const missingPage: SitePage = {
  path: '/',
  title: 'Page not found',
  description: 'There is no page at this address.',
  kind: 'missing',
  isListed: false,
  render: () => (
    <div className="mx-auto flex max-w-lg flex-col gap-4 px-4 py-24 sm:py-32">
      <h1 className="text-xl font-semibold tracking-tight">Page not found</h1>
      <p className="text-base break-words text-muted">
        There is no page at{' '}
        <code id="asked-path" className="font-mono text-sm text-ink">
          this address
        </code>
        . It may be mistyped, or the page may have moved.
      </p>
      <p>
        <a href={SITE_PATHS.home} className={buttonClass('primary')}>
          Go to homepage
        </a>
      </p>
    </div>
  ),
}
