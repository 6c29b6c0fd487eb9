import { useQuery } from '@tanstack/react-query'
import { LoadFailure } from '#web/components/LoadFailure.tsx'
import { Button } from '#web/ui/action/Button.tsx'
import { Card } from '#web/ui/show/Card.tsx'
import { CardSkeleton } from '#web/ui/wait/CardSkeleton.tsx'
import { accountQuery, useBalance } from '../money-queries.ts'
import { BusinessForm } from './BusinessForm.tsx'

/** The client's business, in the profile settings; administrators have none. */
export function BusinessPanel() {
  const { isNone } = useBalance()
  const account = useQuery({ ...accountQuery, enabled: !isNone })
  if (isNone) return null
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
    <Card title="Business">
      <BusinessForm account={account.data}>
        {({ busy, isDirty }) => (
          <Button type="submit" variant="primary" busy={busy} disabled={!isDirty} className="self-start">
            {busy ? 'Saving…' : 'Save business'}
          </Button>
        )}
      </BusinessForm>
    </Card>
  )
}
