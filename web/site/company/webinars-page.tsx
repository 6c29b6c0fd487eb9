import { SITE_PATHS } from '#core/contract/paths.ts'
import { buttonClass } from '#web/ui/action/button-class.ts'
import { TextLink } from '../parts/TextLink.tsx'
import type { SitePage } from '../site-page.ts'

export const webinarsPage: SitePage = {
  path: SITE_PATHS.webinars,
  title: 'Webinars',
  description: 'No sessions are scheduled. Leave your address to be told of the first one.',
  render: () => (
    <div className="mx-auto max-w-[1120px] px-4 pt-14 sm:px-6 sm:pt-20">
      <h1 className="text-xl font-semibold tracking-tight">Webinars</h1>
      <div className="mt-8 flex max-w-[70ch] flex-col items-start gap-4 rounded-lg border border-line bg-surface px-6 py-8">
        <h2 className="text-base font-semibold">No sessions scheduled</h2>
        <p className="text-base text-pretty text-muted">
          There is none to come and none to watch yet. Write to us with the topic <em>Webinars</em>, and you
          are told of the first one: one mail, for nothing else.
        </p>
        <a href={`${SITE_PATHS.contact}?topic=webinars`} className={buttonClass('primary')}>
          Tell me of the first
        </a>
      </div>
      <p className="mt-6 text-base text-muted">
        Until then the <TextLink href={SITE_PATHS.documentation}>documentation</TextLink> has what one would
        show.
      </p>
    </div>
  ),
}
