import { Lock, ShieldCheck } from 'lucide-react'
import { Link } from 'react-router-dom'
import { stopViewing, viewedClient } from '#web/api/viewed-client.ts'
import { LoadFailure } from '#web/components/LoadFailure.tsx'
import { PATHS, signInPath } from '#web/paths.ts'
import { buttonClass } from '#web/ui/action/button-class.ts'
import { Button } from '#web/ui/action/Button.tsx'
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
    return viewedClient() === null ? <Closed /> : <ClosedWhileViewing />
  }
  return <CardSkeleton />
}

function Closed() {
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

function ClosedWhileViewing() {
  return (
    <Card>
      <EmptyState
        icon={<Lock aria-hidden />}
        title="You are viewing a client’s screens"
        action={
          <Button
            onClick={() => {
              stopViewing()
              location.reload()
            }}
          >
            Stop viewing
          </Button>
        }
      >
        The administration is closed in this tab meanwhile.
      </EmptyState>
    </Card>
  )
}
