import { Suspense } from 'react'
import { Link } from 'react-router-dom'
import type { SetupProgress } from '#core/contract/market/client-setup.ts'
import type { SetupStepToShow } from '#core/domain/market/list-setup-steps.ts'
import { countOf } from '#web/format/count-of.ts'
import { WhyNoLeads } from '#web/market/dashboard/WhyNoLeads.tsx'
import { SetupStepList } from '#web/market/setup/SetupStepList.tsx'
import { PATHS } from '#web/paths.ts'
import { buttonClass } from '#web/ui/action/button-class.ts'
import { Card } from '#web/ui/show/Card.tsx'
import { CardSkeleton } from '#web/ui/wait/CardSkeleton.tsx'
import { formatDate } from '#web/ui/show/format-time.ts'
import { lazyPart } from '../lazy-part.ts'

/** Loaded on demand, because the parts of the log are larger than the rest of this screen. */
const ReceivedLead = lazyPart('ReceivedLead', async () => (await import('./ReceivedLead.tsx')).ReceivedLead)

/** The last screen: the lead that the client's endpoint received, and the steps that are left. */
export function SetupDone({ setup, steps }: { setup: SetupProgress; steps: readonly SetupStepToShow[] }) {
  const skipped = steps.filter(({ state }) => state === 'skipped').length
  const { approved, waits_since: since } = setup
  const { received_attempt_id: received } = setup
  return (
    <section aria-labelledby="setup-done" className="flex min-w-0 flex-col gap-4">
      <header className="flex flex-wrap items-end justify-between gap-x-6 gap-y-3">
        <div className="min-w-0">
          <h2 id="setup-done" tabIndex={-1} className="text-lg font-semibold tracking-tight outline-none">
            {skipped === 0 ? 'Your account is set up' : 'That is all for now'}
          </h2>
          <p className="mt-1 max-w-prose text-sm text-muted">
            {skipped === 0
              ? `Each lead is sent to your webhook the moment it is assigned to you. ${approved ? 'Anything that still keeps leads from you is listed below.' : `First an administrator approves your account${since === null ? '' : `, which waits since ${formatDate(since)}`}; you get a mail.`}`
              : `You skipped ${countOf(skipped, 'step')}. ${skipped === 1 ? 'It stays' : 'They stay'} here until you come back.`}
          </p>
        </div>
        <Link to={PATHS.dashboard} className={buttonClass('primary')}>
          Go to the dashboard
        </Link>
      </header>
      {received !== null && (
        <Suspense fallback={<CardSkeleton />}>
          <ReceivedLead key={received} attemptId={received} />
        </Suspense>
      )}
      {skipped > 0 && (
        <Card title="Your steps" flush>
          <SetupStepList label="Your steps" steps={steps} />
        </Card>
      )}
      {setup.order && <WhyNoLeads />}
    </section>
  )
}
