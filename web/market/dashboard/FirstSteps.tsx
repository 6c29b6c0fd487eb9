import type { Dashboard } from '#core/contract/market/dashboard.ts'
import { listSetupSteps } from '#core/domain/market/list-setup-steps.ts'
import { Card } from '#web/ui/show/Card.tsx'
import { SetupStepList } from '../setup/SetupStepList.tsx'

/**
 * Shows a new client the steps of /onboarding, with their progress, in place of numbers that are all zero.
 */
export function FirstSteps({ setup }: { setup: Dashboard['setup'] }) {
  const steps = listSetupSteps(setup)
  const done = steps.filter(({ state }) => state === 'done').length
  return (
    <Card
      title="Your first lead"
      actions={
        <span className="text-xs text-muted tabular">
          {done} of {steps.length} done
        </span>
      }
      flush
    >
      <SetupStepList label="Your first lead" steps={steps} />
      <p className="border-t border-line px-4 py-3 text-xs text-muted">
        Then leads come automatically. Each appears here and is sent to your webhook the moment it is assigned
        to you.
      </p>
    </Card>
  )
}
