import { useInfiniteQuery } from '@tanstack/react-query'
import { auditQuery } from '../account-queries.ts'
import { LoadFailure } from '#web/components/LoadFailure.tsx'
import { describeUserAgent } from '#web/format/user-agent.ts'
import { Button } from '#web/ui/action/Button.tsx'
import { Card } from '#web/ui/show/Card.tsx'
import { RelativeTime } from '#web/ui/show/RelativeTime.tsx'
import { Skeleton } from '#web/ui/wait/Skeleton.tsx'
import { Waiting } from '#web/ui/wait/Waiting.tsx'
import { describeAction } from './describe-action.ts'

/** Lists the account's audit log, so that the owner can spot actions of a stranger. */
export function AccountActivity() {
  const audit = useInfiniteQuery(auditQuery)
  const rows = audit.data?.pages.flatMap(({ data }) => data)
  if (rows === undefined && audit.isError) {
    return (
      <LoadFailure
        title="The recent activity could not be loaded."
        error={audit.error}
        onRetry={() => void audit.refetch()}
      />
    )
  }
  return (
    <Card title="Recent activity">
      {rows === undefined ? (
        <Waiting label="Loading the activity" className="flex flex-col gap-3">
          <Skeleton className="h-5 w-full" />
          <Skeleton className="h-5 w-full" />
          <Skeleton className="h-5 w-4/5" />
        </Waiting>
      ) : rows.length === 0 ? (
        <p className="text-sm text-muted">Nothing yet.</p>
      ) : (
        <ul aria-label="Recent activity" className="flex flex-col divide-y divide-line">
          {rows.map((row) => (
            <li
              key={row.id}
              className="flex flex-wrap items-start justify-between gap-x-4 py-2 first:pt-0 last:pb-0"
            >
              <div className="min-w-0 flex-1 basis-32">
                <p className="text-sm">{describeAction(row.action)}</p>
                <p className="text-xs break-words text-muted tabular">
                  {[describeUserAgent(row.user_agent ?? '').name, row.ip].filter(Boolean).join(' · ')}
                </p>
              </div>
              <RelativeTime at={row.at} className="text-xs leading-5 text-muted" />
            </li>
          ))}
        </ul>
      )}
      {audit.hasNextPage && (
        <Button
          size="sm"
          className="mt-3"
          busy={audit.isFetchingNextPage}
          onClick={() => void audit.fetchNextPage()}
        >
          Show more
        </Button>
      )}
    </Card>
  )
}
