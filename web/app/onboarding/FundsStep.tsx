import { AddFunds } from '#web/market/billing/AddFunds.tsx'
import { BalanceSummary } from '#web/market/billing/BalanceSummary.tsx'
import { StepFooter } from './StepFooter.tsx'
import type { StepFlow } from './use-setup-flow.ts'

export function FundsStep({ flow }: { flow: StepFlow }) {
  return (
    <div className="flex min-w-0 flex-col gap-4">
      <div className="grid items-start gap-4 xl:grid-cols-2">
        <AddFunds />
        <BalanceSummary />
      </div>
      <StepFooter flow={flow} />
    </div>
  )
}
