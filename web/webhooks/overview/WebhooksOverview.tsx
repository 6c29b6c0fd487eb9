import { FlaskConical, Settings2 } from 'lucide-react'
import { Button } from '#web/ui/action/Button.tsx'
import { FeatureCards } from './FeatureCards.tsx'
import { IntegrationCatalogue } from './IntegrationCatalogue.tsx'
import { useAssignmentTest } from './use-assignment-test.ts'

export function WebhooksOverview({ onConfigure }: { onConfigure: () => void }) {
  const test = useAssignmentTest()
  return (
    <div className="flex flex-col gap-8">
      <section aria-labelledby="webhooks-intro" className="flex flex-wrap items-center gap-x-8 gap-y-4">
        <div className="max-w-prose min-w-0 flex-1 basis-80">
          <h2 id="webhooks-intro" className="text-base font-semibold">
            Your leads, in your own tools
          </h2>
          <p className="mt-0.5 text-sm text-muted">
            A webhook posts each lead to your CRM or automation. Run the assignment test to send a fictional
            lead through the whole path, from assignment to your endpoint.
          </p>
        </div>
        <div className="flex min-w-0 flex-wrap gap-2">
          <Button variant="primary" icon={<Settings2 aria-hidden className="size-4" />} onClick={onConfigure}>
            Configure Webhooks
          </Button>
          <Button
            // As wide while it runs: nothing moves.
            className="sm:min-w-52"
            icon={<FlaskConical aria-hidden className="size-4" />}
            busy={test.running}
            onClick={() => void test.run()}
          >
            {test.running ? 'Running...' : 'Run Assignment Test'}
          </Button>
        </div>
        <p role="status" className="basis-full text-sm text-waiting empty:hidden">
          {test.isUnheard &&
            'No active webhook listens for assigned leads, so the test lead was sent nowhere. Configure Webhooks adds one.'}
        </p>
      </section>
      <FeatureCards />
      <IntegrationCatalogue />
    </div>
  )
}
