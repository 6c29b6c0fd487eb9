import { SITE_PATHS } from '#core/contract/paths.ts'
import { CONTACT_LIMITS } from '#core/contract/operations/contact-message.ts'
import { buttonClass } from '#web/ui/action/button-class.ts'
import { CONTROL_CLASS } from '#web/ui/form/control-class.ts'
import { SentPage } from '../contact/SentPage.tsx'
import { TextLink } from '../parts/TextLink.tsx'
import type { SitePage } from '../site-page.ts'
import { ContactTrap } from '../contact/ContactTrap.tsx'

const MAIN: SitePage = {
  path: SITE_PATHS.webinars,
  title: 'Webinars',
  description: 'No sessions are scheduled. Leave your address to be told of the first one.',
  islands: ['contact'],
  render: () => (
    <div className="mx-auto max-w-[1120px] px-4 pt-14 sm:px-6 sm:pt-20">
      <h1 className="text-xl font-semibold tracking-tight">Webinars</h1>
      <div className="mt-8 max-w-[70ch] rounded-lg border border-line bg-surface px-4 py-8 sm:px-6">
        <h2 className="text-base font-semibold">No sessions scheduled</h2>
        <p className="mt-4 text-base text-pretty text-muted">
          There is none to come and none to watch yet. Leave your address, and you are told of the first one:
          one mail, for nothing else. We confirm by mail that we have it.
        </p>
        <InterestForm />
      </div>
      <p className="mt-6 text-base text-muted">
        Until then the <TextLink href={SITE_PATHS.documentation}>documentation</TextLink> has what one would
        show.
      </p>
    </div>
  ),
}

const NOTED: SitePage = {
  path: `${SITE_PATHS.webinars}/noted`,
  title: 'Address noted',
  description: 'You are told of the first webinar.',
  isListed: false,
  islands: ['contact'],
  render: () => (
    <SentPage title="Your address is noted">
      You are told when the first session has a date. A mail to your address says so too: if it does not come
      within some minutes, the address may be mistyped.
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
      <div className="flex flex-col gap-1.5">
        <label htmlFor="contact-email" className="text-sm font-medium">
          Email
        </label>
        <input
          id="contact-email"
          name="email"
          type="email"
          autoComplete="email"
          required
          maxLength={CONTACT_LIMITS.email}
          className={`${CONTROL_CLASS} h-10`}
        />
      </div>
      <ContactTrap />
      <div className="flex flex-wrap items-center gap-4">
        <button type="submit" className={buttonClass('primary')}>
          Tell me of the first
        </button>
        <p className="text-xs text-muted">
          We use it for this alone: <TextLink href={SITE_PATHS.privacyPolicy}>privacy policy</TextLink>.
        </p>
      </div>
    </form>
  )
}
