import { useQuery } from '@tanstack/react-query'
import { ChevronRight, CircleCheck } from 'lucide-react'
import { Link } from 'react-router-dom'
import { LoadFailure } from '#web/components/LoadFailure.tsx'
import { adminPath } from '#web/paths.ts'
import { buttonClass } from '#web/ui/action/button-class.ts'
import { Card } from '#web/ui/show/Card.tsx'
import { EmptyState } from '#web/ui/show/EmptyState.tsx'
import { CardSkeleton } from '#web/ui/wait/CardSkeleton.tsx'
import { needsQuery } from '../overview/overview-queries.ts'
import { needPath, sayNeed, wordNeed } from './need-words.ts'

/** Shows what waits for an administrator: one line for each kind, with the way to it. */
export function NeedsPanel() {
  const needs = useQuery(needsQuery)
  if (needs.data === undefined) {
    return needs.isError ? (
      <LoadFailure
        title="What needs you could not be loaded."
        error={needs.error}
        onRetry={() => void needs.refetch()}
      />
    ) : (
      <CardSkeleton />
    )
  }
  const waiting = needs.data.data.filter(({ count }) => count > 0)
  return (
    <Card
      title="Needs you"
      flush
      actions={
        <Link to={adminPath('needs-you')} className={buttonClass('quiet', 'sm')}>
          Show all
        </Link>
      }
    >
      {waiting.length === 0 ? (
        <EmptyState icon={<CircleCheck aria-hidden />} title="Nothing needs you" />
      ) : (
        <ul className="divide-y divide-line">
          {waiting.map((group) => (
            <li key={group.kind}>
              <Link
                to={needPath(group.kind)}
                reloadDocument={wordNeed(group.kind).isLoadedAnew ?? false}
                className="flex min-h-9 items-center justify-between gap-3 px-4 py-2 text-sm hover:bg-hover"
              >
                <span className="min-w-0 tabular">{sayNeed(group)}</span>
                <ChevronRight aria-hidden className="size-4 shrink-0 text-muted" />
                <span className="sr-only">: {wordNeed(group.kind).action}</span>
              </Link>
            </li>
          ))}
        </ul>
      )}
    </Card>
  )
}
