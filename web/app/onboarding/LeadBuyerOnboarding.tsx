import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router-dom'
import { meQuery } from '#web/api/me.ts'
import { LoadFailure } from '#web/components/LoadFailure.tsx'
import { setupQuery } from '#web/market/market-queries.ts'
import { PATHS } from '#web/paths.ts'
import { buttonClass } from '#web/ui/action/button-class.ts'
import { Card } from '#web/ui/show/Card.tsx'
import { PageHeader } from '#web/ui/show/PageHeader.tsx'
import { CardSkeleton } from '#web/ui/wait/CardSkeleton.tsx'
import { SetupSteps } from './SetupSteps.tsx'

/**
 * Leads a new account to its first delivered lead (docs/product.md §2). Each step is saved by itself and may
 * be skipped.
 */
export function LeadBuyerOnboarding() {
  return (
    <div className="flex flex-col gap-6">
      <title>Set up your account · Leadwire</title>
      <PageHeader
        title="Set up your account"
        description="From a new account to your first lead. Each step is saved by itself, and you can come back at any time."
      />
      <Content />
    </div>
  )
}

function Content() {
  const me = useQuery(meQuery)
  const setup = useQuery({ ...setupQuery, enabled: me.data?.role === 'client' })
  if (me.data?.role === 'admin') {
    return (
      <Card className="max-w-2xl">
        <p className="text-sm">Administrators buy no leads, so there is nothing to set up.</p>
        <Link to={PATHS.admin} className={`mt-4 ${buttonClass('secondary')}`}>
          Open Admin
        </Link>
      </Card>
    )
  }
  if (setup.data !== undefined) return <SetupSteps setup={setup.data} />
  const failed = [me, setup].find(({ isError }) => isError)
  if (failed === undefined) return <CardSkeleton />
  return (
    <LoadFailure
      title="Your set-up could not be loaded."
      error={failed.error}
      onRetry={() => void failed.refetch()}
    />
  )
}
