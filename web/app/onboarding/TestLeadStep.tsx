import { useQuery } from '@tanstack/react-query'
import { FlaskConical } from 'lucide-react'
import { Link } from 'react-router-dom'
import type { SetupProgress } from '#core/contract/market/client-setup.ts'
import { setupQuery } from '#web/market/market-queries.ts'
import { leadPath, onboardingPath } from '#web/paths.ts'
import { Button } from '#web/ui/action/Button.tsx'
import { buttonClass } from '#web/ui/action/button-class.ts'
import { Banner } from '#web/ui/show/Banner.tsx'
import { Card } from '#web/ui/show/Card.tsx'
import { Spinner } from '#web/ui/wait/Spinner.tsx'
import { UNHEARD_WORDS } from '#web/webhooks/overview/find-unheard.ts'
import { useAssignmentTest } from '#web/webhooks/overview/use-assignment-test.ts'
import { ReceivedLead } from './ReceivedLead.tsx'
import { StepFooter } from './StepFooter.tsx'
import type { StepFlow } from './use-setup-flow.ts'

export function TestLeadStep({ flow }: { flow: StepFlow }) {
  const setup = useQuery(setupQuery).data
  const test = useAssignmentTest()
  if (setup === undefined) return null
  const { webhook, test_lead: lead } = setup
  return (
    <div className="flex min-w-0 flex-col gap-4">
      {!webhook && (
        <Banner
          title="There is no webhook yet"
          action={
            <Link to={onboardingPath('webhook')} className={buttonClass('secondary', 'sm')}>
              Add a webhook
            </Link>
          }
        >
          A test lead would be sent nowhere. Add one first, or skip this step for now.
        </Banner>
      )}
      {webhook && (
        <Card>
          <div className="flex flex-wrap items-center gap-x-6 gap-y-3">
            <p className="min-w-0 flex-1 basis-64 text-sm">
              The lead is fictional and costs nothing. It is received, assigned to you, and sent to each
              active webhook, exactly as a real one.
            </p>
            <Button
              variant={setup.delivered ? 'secondary' : 'primary'}
              className="sm:min-w-52"
              icon={<FlaskConical aria-hidden className="size-4" />}
              busy={test.running}
              onClick={() => void test.run()}
            >
              {test.running ? 'Running...' : 'Run Assignment Test'}
            </Button>
          </div>
          <div role="status" className="text-sm not-empty:mt-4">
            {test.unheard !== null ? (
              <p className="text-waiting">{UNHEARD_WORDS[test.unheard]}</p>
            ) : (
              lead !== null && <Outcome lead={lead} receivedId={setup.received_attempt_id} />
            )}
          </div>
        </Card>
      )}
      {lead !== null && lead.attempt_id !== null && (
        <ReceivedLead key={lead.attempt_id} attemptId={lead.attempt_id} />
      )}
      <StepFooter flow={flow} />
    </div>
  )
}

interface OutcomeProps {
  lead: NonNullable<SetupProgress['test_lead']>
  receivedId: string | null
}

function Outcome({ lead: { id, attempt_id }, receivedId }: OutcomeProps) {
  if (attempt_id === null) {
    return (
      <p className="flex flex-wrap items-center gap-x-2 gap-y-1">
        <Spinner />
        The test lead is on its way to your endpoint.
        <Link to={leadPath(id)} className="text-accent-strong underline">
          See its journey
        </Link>
      </p>
    )
  }
  return (
    <p>
      {attempt_id === receivedId
        ? 'Your endpoint received the test lead.'
        : 'Your endpoint has not accepted the test lead yet. Its answer is below.'}
    </p>
  )
}
