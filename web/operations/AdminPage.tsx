import { useMutation, useQuery } from '@tanstack/react-query'
import { ExternalLink, Lock, ShieldCheck } from 'lucide-react'
import { useEffect } from 'react'
import { Link, useSearchParams } from 'react-router-dom'
import { adminAccessQuery } from '../api/admin-access.ts'
import { openQueueSession } from './operation-queries.ts'
import { errorSentence } from '../api/errors.ts'
import { meQuery } from '../api/me.ts'
import { useAuth } from '../session/auth-context.ts'
import { readToken } from '../session/read-token.ts'
import { LoadFailure } from '../components/LoadFailure.tsx'
import { PATHS, signInPath } from '../paths.ts'
import { Button } from '../ui/action/Button.tsx'
import { buttonClass } from '../ui/action/button-class.ts'
import { Card } from '../ui/show/Card.tsx'
import { CardSkeleton } from '../ui/wait/CardSkeleton.tsx'
import { EmptyState } from '../ui/show/EmptyState.tsx'
import { PageHeader } from '../ui/show/PageHeader.tsx'
import { toast } from '../ui/overlay/toast.ts'
import { AdminTabs } from './AdminTabs.tsx'

/**
 * A page of the server, outside this app. A direct visit without its short session is redirected to /admin.
 */
const QUEUE_DASHBOARD = '/admin/queues'

/** The administrators' page. The server refuses everybody else, whatever this page shows. */
export function AdminPage() {
  const me = useQuery(meQuery)
  const board = useMutation({
    mutationFn: (_address: string) => openQueueSession(),
    onSuccess: (_answer, address) => location.assign(address),
    onError: (error) => toast.error(errorSentence(error)),
  })
  const { session } = useAuth()
  const aal = session === null ? 'aal1' : readToken(session.access_token).aal
  const access = useQuery({
    ...adminAccessQuery(session?.user.id ?? '', aal),
    enabled: me.data?.role === 'admin',
  })
  const needsFactor = access.data === 'second_factor'
  const isAdmin = me.data?.role === 'admin' && access.data === 'open'
  const [search, setSearch] = useSearchParams()
  const isSentHere = isAdmin && search.get('open') === 'queues'
  const { mutate: openBoard } = board
  useEffect(() => {
    if (!isSentHere) return
    setSearch({}, { replace: true })
    openBoard(`${QUEUE_DASHBOARD}?opened`)
  }, [isSentHere, openBoard, setSearch])

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
              onClick={() => board.mutate(QUEUE_DASHBOARD)}
            >
              Open queue dashboard
            </Button>
          ),
        })}
      />
      {isAdmin ? (
        <AdminTabs />
      ) : me.isError ? (
        <LoadFailure
          title="Your account could not be loaded."
          error={me.error}
          onRetry={() => void me.refetch()}
        />
      ) : needsFactor ? (
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
      ) : access.isError ? (
        <LoadFailure
          title="Your access could not be checked."
          error={access.error}
          onRetry={() => void access.refetch()}
        />
      ) : me.data === undefined || (me.data.role === 'admin' && access.data === undefined) ? (
        <CardSkeleton />
      ) : (
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
            Your account has no access to it. If you also have an administrator’s account, sign out and sign
            in with that one.
          </EmptyState>
        </Card>
      )}
    </div>
  )
}
