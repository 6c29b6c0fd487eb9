import { SITE_PATHS } from '#core/contract/paths.ts'
import { TextLink } from '../parts/TextLink.tsx'
import type { SitePage } from '../site-page.ts'
import { ContactForm } from './ContactForm.tsx'
import { SentPage } from './SentPage.tsx'

export const contactPages: readonly SitePage[] = [
  {
    path: SITE_PATHS.contact,
    title: 'Contact',
    description:
      'Write to us with a question, for help, about privacy, or to stop being contacted. We answer by email, and you need no account.',
    islands: ['contact'],
    render: () => (
      <div className="mx-auto max-w-[1120px] px-4 pt-14 sm:px-6 sm:pt-20">
        <h1 className="text-xl font-semibold tracking-tight">Contact</h1>
        <p className="mt-3 max-w-[58ch] text-lg text-pretty text-muted">
          We answer by email, and you need no account. Many questions are answered in the{' '}
          <TextLink href={SITE_PATHS.helpCenter}>help center</TextLink> already.
        </p>
        <ContactForm />
      </div>
    ),
  },
  {
    path: `${SITE_PATHS.contact}/sent`,
    title: 'Message sent',
    description: 'We have your message.',
    isListed: false,
    islands: ['contact'],
    render: () => (
      <SentPage title="We have your message">
        We also sent a confirmation to your email address. A person will answer you there.
      </SentPage>
    ),
  },
]
