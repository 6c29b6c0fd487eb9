import { SITE_PATHS } from '#core/contract/paths.ts'
import { INTEGRATION_CATALOGUE } from '#core/contract/webhooks/integration-catalogue.ts'
import { DEFAULT_PAYLOAD_TEMPLATE } from '#core/contract/webhooks/webhook-config.ts'
import { buttonClass } from '#web/ui/action/button-class.ts'
import { showPreview } from '../home/show-preview.ts'
import { Section } from '../parts/Section.tsx'
import { TextLink } from '../parts/TextLink.tsx'
import type { SitePage } from '../site-page.ts'
import { AccountLinks } from '../parts/AccountLinks.tsx'

const FACTS = [
  ['Method', 'POST, PUT or PATCH'],
  ['Format', 'JSON or form data'],
  ['Fields', 'your choice: a template names them'],
  ['Sign-in', 'headers, Basic, a token, OAuth 2.0, or your client certificate'],
  ['Signature', 'HMAC-SHA256, as Standard Webhooks defines it'],
  ['When', 'a lead is assigned to you, or received'],
] as const

export const integrationsPage: SitePage = {
  path: SITE_PATHS.integrations,
  title: 'Integrations',
  description:
    'Leadwire pushes each lead to your CRM, marketing or automation tool, dialer or own API: any address that accepts a webhook.',
  render: ({ builtAt }) => (
    <>
      <div className="mx-auto max-w-[1120px] px-4 pt-14 sm:px-6 sm:pt-20">
        <h1 className="text-xl font-semibold tracking-tight">Integrations</h1>
        <p className="mt-3 max-w-[60ch] text-lg text-pretty text-muted">
          Any system that gives you an address for incoming leads can receive them. There is nothing to
          install.
        </p>
        <ul className="mt-10 grid gap-4 sm:grid-cols-2 lg:grid-cols-4">
          {INTEGRATION_CATALOGUE.map(({ name, hint, items }) => (
            <li key={name} className="rounded-lg border border-line bg-surface p-5">
              <h2 className="text-base font-semibold">{name}</h2>
              <p className="mt-1 text-sm text-muted">{hint}</p>
              <ul className="mt-4 border-t border-line text-sm">
                {items.map((item) => (
                  <li key={item} className="border-b border-line py-2 last:border-b-0 last:pb-0">
                    {item}
                  </li>
                ))}
              </ul>
            </li>
          ))}
        </ul>
        <p className="mt-4 text-sm text-muted">
          All names belong to their owners. These are recipes that clients use, not partnerships.{' '}
          <TextLink href={`${SITE_PATHS.documentation}/receivers`}>Receivers with a preset</TextLink> lists
          the values to fill in.
        </p>
      </div>
      <Section title="How a lead looks when it arrives">
        <div className="grid gap-6 lg:grid-cols-2">
          <div className="prose min-w-0">
            <pre tabIndex={0} className="h-full">
              <code>
                {showPreview(JSON.stringify(DEFAULT_PAYLOAD_TEMPLATE), 'JSON', new Date(builtAt)).text}
              </code>
            </pre>
          </div>
          <dl className="grid grid-cols-[auto_1fr] gap-x-6 self-start text-sm">
            {FACTS.map(([name, fact]) => (
              <div key={name} className="col-span-2 grid grid-cols-subgrid border-b border-line py-2.5">
                <dt className="text-muted">{name}</dt>
                <dd>{fact}</dd>
              </div>
            ))}
          </dl>
        </div>
        <div className="mt-8 flex flex-wrap gap-3">
          <AccountLinks />
          <a href={SITE_PATHS.api} className={buttonClass('secondary')}>
            See a request
          </a>
        </div>
      </Section>
    </>
  ),
}
