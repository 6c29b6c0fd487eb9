import { Lock, ShieldCheck } from 'lucide-react'
import { Link } from 'react-router-dom'
import { LoadFailure } from '#web/components/LoadFailure.tsx'
import { PATHS, signInPath } from '#web/paths.ts'
import { buttonClass } from '#web/ui/action/button-class.ts'
import { Card } from '#web/ui/show/Card.tsx'
import { EmptyState } from '#web/ui/show/EmptyState.tsx'
import { PageHeader } from '#web/ui/show/PageHeader.tsx'
import { CardSkeleton } from '#web/ui/wait/CardSkeleton.tsx'
import type { AdminAccessState } from './use-admin-access.ts'

/** Says why the administration is not shown, and leads on. */
export function AdminGate({ access }: { access: AdminAccessState }) {
  return (
    <div className="flex flex-col gap-6">
      <title>Administration · Leadwire</title>
      <PageHeader title="Administration" />
      <Reason access={access} />
    </div>
  )
}

function Reason({ access }: { access: AdminAccessState }) {
  if (access.state === 'failed')
    return <LoadFailure title={access.title} error={access.error} onRetry={access.retry} />
  if (access.state === 'second_factor') {
    return (
      <Card>
        <EmptyState
          icon={<ShieldCheck aria-hidden />}
          title="A second factor is needed"
          action={
            <Link to={signInPath(PATHS.admin)} className={buttonClass('primary')}>
              Continue
            </Link>
          }
        >
          Administrators confirm every sign-in with an authenticator app.
        </EmptyState>
      </Card>
    )
  }
  if (access.state === 'closed') {
    return (
      <Card>
        <EmptyState
          icon={<Lock aria-hidden />}
          title="This page is for administrators"
          action={
            <Link to={PATHS.dashboard} className={buttonClass('primary')}>
              Go to your dashboard
            </Link>
          }
        >
          Your account has no access to it. If you also have an administrator’s account, sign out and sign in
          with that one.
        </EmptyState>
      </Card>
    )
  }
  return <CardSkeleton />
}
