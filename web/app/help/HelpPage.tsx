import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useMemberMay } from '#web/api/use-member-may.ts'
import { PageHeader } from '#web/ui/show/PageHeader.tsx'
import { PATHS } from '#web/paths.ts'
import { Beneath } from '#web/ui/wait/Beneath.tsx'
import { CardSkeleton } from '#web/ui/wait/CardSkeleton.tsx'
import { endpointHealthQuery } from '#web/webhooks/queries/endpoint-health.ts'
import { HelpLink } from './HelpAnswer.tsx'
import { HELP_QUESTIONS } from './help-questions.ts'
import { OwnEndpoints } from './OwnEndpoints.tsx'
import { LeadAnswers } from './LeadAnswers.tsx'
import { WebhookAnswers } from './WebhookAnswers.tsx'

/**
 * The clients' most frequent questions. Numbers come from docs/product.md §4, §9, §10 and docs/contract.md
 * §5.
 */
export function HelpPage() {
  const seesWebhooks = useMemberMay('webhooks')
  const { isLoading } = useQuery({ ...endpointHealthQuery, enabled: seesWebhooks === true })
  const isReady = seesWebhooks !== undefined && !isLoading
  useEffect(() => {
    // The browser finds no answer to scroll to while the page loads, so we scroll afterwards.
    if (isReady) document.getElementById(location.hash.slice(1))?.scrollIntoView()
  }, [isReady])
  return (
    <div className="flex max-w-[68ch] flex-col gap-6">
      <title>Help · Leadwire</title>
      <PageHeader title="Help" />
      <Beneath isReady={isReady} fallback={<CardSkeleton />}>
        {seesWebhooks === true && <OwnEndpoints />}
        <nav aria-label="Questions">
          <ul className="flex flex-col">
            {Object.entries(HELP_QUESTIONS).map(([id, question]) => (
              <li key={id}>
                <a
                  href={`#${id}`}
                  className="inline-flex min-h-8 items-center rounded-sm text-accent-strong hover:underline"
                >
                  {question}
                </a>
              </li>
            ))}
          </ul>
        </nav>
        <LeadAnswers />
        <WebhookAnswers />
        <section className="border-t border-line pt-6">
          <h2 className="text-lg font-semibold tracking-tight">More</h2>
          <p className="mt-2 text-base">
            The <HelpLink to={PATHS.documentation}>documentation</HelpLink> has a guide for each of these, and
            the <HelpLink to={PATHS.helpCenter}>help center</HelpLink> has short answers. Nothing fits?{' '}
            <HelpLink to={PATHS.contact}>Write to us</HelpLink>.
          </p>
        </section>
      </Beneath>
    </div>
  )
}
