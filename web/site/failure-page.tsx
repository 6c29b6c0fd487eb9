import { FAILURE_ID_MARK } from '#core/contract/site.ts'
import { buttonClass } from '#web/ui/action/button-class.ts'
import type { SitePage } from './site-page.ts'

/** Sent in place of a page that the server failed to make, in the words of docs/product.md §2. */
export const failurePage: SitePage = {
  path: '/',
  title: 'Application Error',
  description: 'This page could not be shown.',
  kind: 'failure',
  isListed: false,
  render: () => (
    <div role="alert" className="mx-auto flex max-w-lg flex-col gap-4 px-4 py-24 sm:py-32">
      <h1 className="text-xl font-semibold tracking-tight">Application Error</h1>
      <p className="text-base text-muted">
        The application encountered an unexpected error. Please try refreshing the page.
      </p>
      {/* Both links open this address again, which works without a script. */}
      <form className="flex flex-wrap gap-2">
        <button type="submit" className={buttonClass('primary')}>
          Try Again
        </button>
        <button type="submit" className={buttonClass()}>
          Reload App
        </button>
      </form>
      <p className="border-t border-line pt-3 text-xs text-faint">
        Error id <code className="font-mono">{FAILURE_ID_MARK}</code>
      </p>
    </div>
  ),
}
