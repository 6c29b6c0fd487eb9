import { SITE_PATHS } from '#core/contract/paths.ts'
import { buttonClass } from '#web/ui/action/button-class.ts'
import { SentPage } from '../contact/SentPage.tsx'
import { TextLink } from '../parts/TextLink.tsx'
import type { SitePage } from '../site-page.ts'
import { ContactEmail } from '../contact/ContactEmail.tsx'
import { ContactTrap } from '../contact/ContactTrap.tsx'

const MAIN: SitePage = {
  path: SITE_PATHS.webinars,
  title: 'Webinars',
  description: 'No webinars are scheduled. Leave your email address to hear about the first one.',
  islands: ['contact'],
  render: () => (
    <div className="mx-auto max-w-[1120px] px-4 pt-14 sm:px-6 sm:pt-20">
      <h1 className="text-xl font-semibold tracking-tight">Webinars</h1>
      <div className="mt-8 max-w-[70ch] rounded-lg border border-line bg-surface px-4 py-8 sm:px-6">
        <h2 className="text-base font-semibold">No sessions scheduled</h2>
        <p className="mt-4 text-base text-pretty text-muted">
          There are no webinars to join or to watch yet. Leave your email address, and we tell you about the
          first one with one email, and use the address for nothing else. We confirm by email that we have it.
        </p>
        <InterestForm />
      </div>
      <p className="mt-6 text-base text-muted">
        Until then, the <TextLink href={SITE_PATHS.documentation}>documentation</TextLink> covers the same
        topics.
      </p>
    </div>
  ),
}

const NOTED: SitePage = {
  path: `${SITE_PATHS.webinars}/noted`,
  title: 'Address noted',
  description: 'We tell you about the first webinar.',
  isListed: false,
  islands: ['contact'],
  render: () => (
    <SentPage title="Your address is noted">
      We write to you when the first webinar has a date. We also sent you an email that confirms this. If it
      does not come within a few minutes, the address may be mistyped.
    </SentPage>
  ),
}

/** The page, and the page after an address was left. */
export const webinarsPages: readonly SitePage[] = [MAIN, NOTED]

/** A form for an address only; an error is shown on this page (server/operations/contact). */
function InterestForm() {
  return (
    <form
      id="contact-form"
      method="post"
      action={SITE_PATHS.webinars}
      acceptCharset="utf-8"
      className="mt-6 flex max-w-md flex-col gap-4"
    >
      <div id="contact-problems" />
      <ContactEmail />
      <ContactTrap />
      <div className="flex flex-wrap items-center gap-4">
        <button type="submit" className={buttonClass('primary')}>
          Notify me
        </button>
        <p className="text-xs text-muted">
          We use it only for this: <TextLink href={SITE_PATHS.privacyPolicy}>privacy policy</TextLink>.
        </p>
      </div>
    </form>
  )
}
