import { useQuery } from '@tanstack/react-query'
import { LoadFailure } from '#web/components/LoadFailure.tsx'
import { proposeZone } from '#web/components/schedule/propose-zone.ts'
import { BusinessForm } from '#web/market/business/BusinessForm.tsx'
import { accountQuery } from '#web/market/money-queries.ts'
import { Button } from '#web/ui/action/Button.tsx'
import { Card } from '#web/ui/show/Card.tsx'
import { CardSkeleton } from '#web/ui/wait/CardSkeleton.tsx'
import { StepFooter } from './StepFooter.tsx'
import type { StepFlow } from './use-setup-flow.ts'

export function BusinessStep({ flow }: { flow: StepFlow }) {
  const account = useQuery(accountQuery)
  if (account.data === undefined) {
    return account.isError ? (
      <LoadFailure
        title="Your business could not be loaded."
        error={account.error}
        onRetry={() => void account.refetch()}
      />
    ) : (
      <CardSkeleton />
    )
  }
  return (
    <Card>
      <BusinessForm
        account={account.data}
        zone={proposeZone(account.data)}
        onSaved={() => void flow.onSaved()}
      >
        {({ busy, isDirty }) => (
          <StepFooter flow={flow}>
            {(isDirty || flow.state !== 'done') && (
              <Button type="submit" variant="primary" busy={busy}>
                {busy ? 'Saving…' : 'Save and continue'}
              </Button>
            )}
          </StepFooter>
        )}
      </BusinessForm>
    </Card>
  )
}
