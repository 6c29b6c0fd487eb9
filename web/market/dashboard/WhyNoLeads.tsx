import clsx from 'clsx'
import { useQuery } from '@tanstack/react-query'
import { Check, CircleAlert } from 'lucide-react'
import { Link } from 'react-router-dom'
import { useMemberMay } from '#web/api/use-member-may.ts'
import { LoadFailure } from '#web/components/LoadFailure.tsx'
import { buttonClass } from '#web/ui/action/button-class.ts'
import { Badge } from '#web/ui/show/Badge.tsx'
import { Card } from '#web/ui/show/Card.tsx'
import { Skeleton } from '#web/ui/wait/Skeleton.tsx'
import { Waiting } from '#web/ui/wait/Waiting.tsx'
import { checklistQuery } from '../market-queries.ts'
import { canFix } from './say-state.ts'

const LINES = [1, 2, 3, 4, 5, 6]

/** Lists all conditions for receiving leads; each unmet one links to the screen that fixes it. */
export function WhyNoLeads() {
  const checklist = useQuery(checklistQuery)
  const paysForLeads = useMemberMay('money') === true
  if (checklist.data === undefined && checklist.isError) {
    return (
      <LoadFailure
        title="What keeps leads from you could not be loaded."
        error={checklist.error}
        onRetry={() => void checklist.refetch()}
      />
    )
  }
  const wrong = checklist.data?.filter(({ ok }) => !ok).length
  return (
    <Card
      title="Why am I not getting leads?"
      flush
      actions={
        wrong !== undefined && (
          <Badge tone={wrong === 0 ? 'success' : 'waiting'}>
            {wrong === 0 ? 'Nothing stands in the way' : `${wrong} to fix`}
          </Badge>
        )
      }
    >
      {checklist.data === undefined ? (
        <Waiting label="Loading what keeps leads from you" className="flex flex-col gap-4 p-4">
          {LINES.map((line) => (
            <Skeleton key={line} className="h-5 w-full" />
          ))}
        </Waiting>
      ) : (
        <ul aria-label="Why am I not getting leads?" className="divide-y divide-line">
          {checklist.data.map(({ code, ok, sentence, fix }) => (
            <li key={code} className="flex min-h-9 items-center gap-x-3 px-4 py-0.5">
              {ok ? (
                <Check aria-hidden className="size-4 shrink-0 text-success" />
              ) : (
                <CircleAlert aria-hidden className="size-4 shrink-0 text-waiting" />
              )}
              <div className="flex min-w-0 flex-1 flex-wrap items-center gap-x-3 gap-y-1">
                <p className={clsx('min-w-0 flex-1 basis-40 text-sm', ok ? 'text-muted' : 'font-medium')}>
                  <span className="sr-only">{ok ? 'Good: ' : 'To put right: '}</span>
                  {sentence}
                </p>
                {!ok && canFix({ code }, () => paysForLeads) && (
                  <Link to={fix} aria-label={`Fix: ${sentence}`} className={buttonClass('secondary', 'sm')}>
                    Fix
                  </Link>
                )}
              </div>
            </li>
          ))}
        </ul>
      )}
    </Card>
  )
}
