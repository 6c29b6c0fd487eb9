import { APP_PATHS, SITE_PATHS } from '#core/contract/paths.ts'
import { TextLink } from '../parts/TextLink.tsx'
import { TextPage } from '../parts/TextPage.tsx'
import type { SitePage } from '../site-page.ts'

export const aboutPage: SitePage = {
  path: SITE_PATHS.about,
  title: 'About',
  description: 'Why Leadwire exists, the principles that it follows, and what works today.',
  render: () => (
    <TextPage
      title="About Leadwire"
      lead="A marketplace for sales leads that behaves like an instrument: it does one thing, exactly, and shows what it did."
    >
      <h2>Why</h2>
      <p>
        A lead is a person who asked to be called. The value of a lead falls by the minute, and most of it is
        lost on the way: in an inbox, in a spreadsheet that somebody exports at noon, or in a webhook that
        failed on Friday and that nobody looked at. Buyers who ask why leads stopped are told to open a
        ticket.
      </p>
      <p>
        Leadwire takes a lead in, decides which buyer gets it, and delivers it to that buyer’s own system. It
        records each step as it happens, and shows it to the people it concerns.
      </p>
      <h2>What we hold to</h2>
      <ul>
        <li>
          <strong>First store, then confirm.</strong> A lead is stored before its source is told that it was
          accepted. Money moves in the same step as the lead. We confirm nothing that could still be lost.
        </li>
        <li>
          <strong>Every no has a reason.</strong> A failed delivery, a lead that went elsewhere, an order that
          receives nothing: each says why, and what to do.
        </li>
        <li>
          <strong>Consent is part of the lead.</strong> The evidence is stored and delivered with the lead.
          People who do not want to be called are not sold.
        </li>
        <li>
          <strong>Your data is yours.</strong> You may read, export and send again the leads that you bought,
          whatever happens to a delivery.
        </li>
        <li>
          <strong>No promises we cannot keep.</strong> We do not say that people will answer, and we do not
          call anything fully compliant. We show what is there.
        </li>
      </ul>
      <h2>How it stands today</h2>
      <p>
        Leads, orders, balances, returns and webhooks work. AI calling, AI settings and AI analytics do not
        work yet, and their pages say so.
      </p>
      <p>
        The quickest way to judge it is to <TextLink href={APP_PATHS.secureSignup}>open an account</TextLink>{' '}
        and send yourself a test lead. It is free.
      </p>
    </TextPage>
  ),
}
