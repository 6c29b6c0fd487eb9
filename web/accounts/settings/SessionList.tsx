import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Monitor, Smartphone } from 'lucide-react'
import { useState } from 'react'
import { sessionsQuery, useRevokeSession } from '../account-queries.ts'
import { errorSentence } from '#web/api/errors.ts'
import { authClient } from '#web/session/auth-client.ts'
import { describeAccountError } from '#web/session/credentials/describe-account-error.ts'
import { LoadFailure } from '#web/components/LoadFailure.tsx'
import { describeUserAgent } from '#web/format/user-agent.ts'
import { Badge } from '#web/ui/show/Badge.tsx'
import { Button } from '#web/ui/action/Button.tsx'
import { Card } from '#web/ui/show/Card.tsx'
import { RelativeTime } from '#web/ui/show/RelativeTime.tsx'
import { Skeleton } from '#web/ui/wait/Skeleton.tsx'
import { Waiting } from '#web/ui/wait/Waiting.tsx'
import { toast } from '#web/ui/overlay/toast.ts'

/** Lists the account's sessions, each with a button that ends it. */
export function SessionList() {
  const sessions = useQuery(sessionsQuery)
  const queryClient = useQueryClient()
  const revoke = useRevokeSession()
  const [leaving, setLeaving] = useState(false)
  const others = sessions.data?.filter(({ is_current: isCurrent }) => !isCurrent) ?? []

  const leaveOthers = async () => {
    setLeaving(true)
    const { error } = await authClient.signOut({ scope: 'others' })
    setLeaving(false)
    if (error === null) toast.success('You are signed out everywhere else')
    else toast.error(describeAccountError(error))
    await queryClient.invalidateQueries({ queryKey: sessionsQuery.queryKey })
  }
  const end = (id: string) =>
    revoke.mutate(id, {
      onSuccess: () => toast.success('The session is signed out'),
      onError: (error) => toast.error(errorSentence(error)),
    })

  if (sessions.data === undefined && sessions.isError) {
    return (
      <LoadFailure
        title="Your sessions could not be loaded."
        error={sessions.error}
        onRetry={() => void sessions.refetch()}
      />
    )
  }
  return (
    <Card
      title="Sessions"
      actions={
        others.length > 0 && (
          <Button size="sm" busy={leaving} onClick={() => void leaveOthers()}>
            Sign out everywhere else
          </Button>
        )
      }
    >
      {sessions.data === undefined ? (
        <Waiting label="Loading the sessions" className="flex flex-col gap-3">
          <Skeleton className="h-9 w-full" />
          <Skeleton className="h-9 w-full" />
        </Waiting>
      ) : (
        <ul className="flex flex-col divide-y divide-line">
          {sessions.data.map((session) => {
            const { name, isPhone } = describeUserAgent(session.user_agent ?? '')
            const Icon = isPhone ? Smartphone : Monitor
            return (
              <li
                key={session.id}
                className="flex flex-wrap items-center gap-x-3 gap-y-2 py-2.5 first:pt-0 last:pb-0"
              >
                <Icon aria-hidden className="size-4 shrink-0 text-muted" />
                <div className="min-w-0 flex-1 basis-24">
                  <p className="flex flex-wrap items-center gap-x-2 text-sm font-medium">
                    {name}
                    {session.is_current && <Badge tone="success">This session</Badge>}
                    {session.aal === 'aal2' && <Badge>Two factors</Badge>}
                  </p>
                  <p className="text-xs break-words text-muted">
                    {session.ip !== null && <span className="tabular">{session.ip} · </span>}
                    {session.is_current ? (
                      'active now'
                    ) : (
                      <>
                        last active <RelativeTime at={session.last_active_at} />
                      </>
                    )}
                  </p>
                </div>
                {!session.is_current && (
                  <Button
                    size="sm"
                    aria-label={`Sign out ${name}, ${session.ip ?? 'unknown address'}`}
                    busy={revoke.isPending && revoke.variables === session.id}
                    onClick={() => end(session.id)}
                  >
                    Sign out
                  </Button>
                )}
              </li>
            )
          })}
        </ul>
      )}
    </Card>
  )
}
