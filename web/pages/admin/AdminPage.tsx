import { useMutation, useQuery } from '@tanstack/react-query'
import { ExternalLink, Lock } from 'lucide-react'
import { openQueueSession } from '../../api/admin-operations.ts'
import { errorSentence } from '../../api/errors.ts'
import { meQuery } from '../../api/me.ts'
import { LoadFailure } from '../../components/LoadFailure.tsx'
import { Button } from '../../ui/Button.tsx'
import { Card } from '../../ui/Card.tsx'
import { CardSkeleton } from '../../ui/CardSkeleton.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { PageHeader } from '../../ui/PageHeader.tsx'
import { toast } from '../../ui/toast.ts'
import { DeadLetters } from './DeadLetters.tsx'
import { FailedJobs } from './FailedJobs.tsx'
import { TroubledEndpoints } from './TroubledEndpoints.tsx'

/** The server's own page, outside this app. */
const QUEUE_DASHBOARD = '/admin/queues'

/** For administrators; the server refuses everybody else whatever this page shows. */
export function AdminPage() {
  const me = useQuery(meQuery)
  const board = useMutation({
    mutationFn: openQueueSession,
    onSuccess: () => location.assign(QUEUE_DASHBOARD),
    onError: (error) => toast.error(errorSentence(error)),
  })
  const isAdmin = me.data?.role === 'admin'

  return (
    <div className="flex flex-col gap-6">
      <title>Administration · Leadwire</title>
      <PageHeader
        title="Administration"
        {...(isAdmin && {
          actions: (
            <Button
              busy={board.isPending}
              icon={<ExternalLink aria-hidden className="size-4" />}
              onClick={() => board.mutate()}
            >
              Open queue dashboard
            </Button>
          ),
        })}
      />
      {isAdmin ? (
        <>
          <FailedJobs />
          <DeadLetters />
          <TroubledEndpoints />
        </>
      ) : me.isError ? (
        <LoadFailure
          title="Your account could not be loaded."
          error={me.error}
          onRetry={() => void me.refetch()}
        />
      ) : me.data === undefined ? (
        <CardSkeleton />
      ) : (
        <Card>
          <EmptyState icon={<Lock aria-hidden />} title="This page is for administrators">
            Your account has no access to it.
          </EmptyState>
        </Card>
      )}
    </div>
  )
}
