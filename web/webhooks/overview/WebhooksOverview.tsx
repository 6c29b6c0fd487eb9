import { FlaskConical, Settings2 } from 'lucide-react'
import { Button } from '#web/ui/action/Button.tsx'
import { FeatureCards } from './FeatureCards.tsx'
import { FeedGroup } from './FeedGroup.tsx'
import { IntegrationCatalogue } from './IntegrationCatalogue.tsx'
import { UNHEARD_WORDS, type Unheard } from './find-unheard.ts'
import { useAssignmentTest } from './use-assignment-test.ts'

const NEXT_STEPS: Readonly<Record<Unheard, string>> = {
  no_webhook: 'Configure Webhooks adds one.',
  no_fit: 'Configure Webhooks has them, in “Send only what fits”.',
}

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
        <div className="ml-auto flex min-w-0 flex-wrap gap-2 max-sm:ml-0">
          <Button variant="primary" icon={<Settings2 aria-hidden className="size-4" />} onClick={onConfigure}>
            Configure Webhooks
          </Button>
          <Button
            // A minimum width, so that nothing moves while the test runs.
            className="sm:min-w-52"
            icon={<FlaskConical aria-hidden className="size-4" />}
            busy={test.running}
            onClick={() => void test.run()}
          >
            {test.running ? 'Running...' : 'Run Assignment Test'}
          </Button>
        </div>
        <p role="status" className="basis-full text-sm text-waiting empty:hidden">
          {test.unheard !== null && `${UNHEARD_WORDS[test.unheard]} ${NEXT_STEPS[test.unheard]}`}
        </p>
      </section>
      <FeatureCards />
      <IntegrationCatalogue />
      <FeedGroup />
    </div>
  )
}
