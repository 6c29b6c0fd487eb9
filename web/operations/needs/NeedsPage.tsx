import { useQuery } from '@tanstack/react-query'
import { CircleCheck } from 'lucide-react'
import { Link } from 'react-router-dom'
import type { Need, ReadNeeds } from '#core/contract/operations/needs.ts'
import { LoadFailure } from '#web/components/LoadFailure.tsx'
import { formatCount } from '#web/format/count-of.ts'
import { formatMoney } from '#web/format/money.ts'
import { buttonClass } from '#web/ui/action/button-class.ts'
import { Card } from '#web/ui/show/Card.tsx'
import { EmptyState } from '#web/ui/show/EmptyState.tsx'
import { RelativeTime } from '#web/ui/show/RelativeTime.tsx'
import { CardSkeleton } from '#web/ui/wait/CardSkeleton.tsx'
import { MessagesPanel } from '../messages/MessagesPanel.tsx'
import { needsQuery } from '../overview/overview-queries.ts'
import { needPath, sayItem, sayNeed, wordNeed } from './need-words.ts'

/** Everything that waits for an administrator, with the first of each kind, and the messages in full. */
export function NeedsPage() {
  return (
    <>
      <NeedGroups />
      <MessagesPanel />
    </>
  )
}

function NeedGroups() {
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
  // The messages have a list of their own below.
  const waiting = needs.data.data.filter(({ kind, count }) => count > 0 && kind !== 'message')
  if (waiting.length === 0) {
    return (
      <Card>
        <EmptyState icon={<CircleCheck aria-hidden />} title="Nothing needs you">
          Approvals, payments, returns, failing endpoints and clients out of funds appear here.
        </EmptyState>
      </Card>
    )
  }
  return (
    <div className="grid grid-cols-[repeat(auto-fit,minmax(min(100%,26rem),1fr))] items-start gap-6">
      {waiting.map((group) => (
        <NeedCard key={group.kind} group={group} />
      ))}
    </div>
  )
}

function NeedCard({ group }: { group: ReadNeeds['data'][number] }) {
  const { kind, count, more, items } = group
  const { title, action, isLoadedAnew = false } = wordNeed(kind)
  const isListed = kind === 'unsold' || count <= items.length
  return (
    <Card
      flush
      title={
        <>
          {title} <span className="ml-1 font-normal text-muted tabular">{formatCount(count, more)}</span>
        </>
      }
      actions={
        <Link to={needPath(kind)} reloadDocument={isLoadedAnew} className={buttonClass('secondary', 'sm')}>
          {action}
        </Link>
      }
    >
      <ul aria-label={sayNeed(group)} className="divide-y divide-line">
        {items.map((item) => (
          <NeedItem key={item.id} kind={kind} item={item} />
        ))}
      </ul>
      {!isListed && (
        <p className="border-t border-line px-4 py-2 text-xs text-muted tabular">
          {formatCount(count - items.length, more)} more
        </p>
      )}
    </Card>
  )
}

function NeedItem({ kind, item }: { kind: string; item: Need }) {
  const { name, detail } = sayItem(kind, item)
  return (
    <li className="flex min-h-9 items-baseline justify-between gap-3 px-4 py-2 text-sm">
      <span className="flex min-w-0 flex-wrap gap-x-3 gap-y-0.5">
        <span className="min-w-0 font-medium wrap-anywhere">
          <bdi>{name}</bdi>
        </span>
        {detail !== '' && <span className="min-w-0 text-muted wrap-anywhere tabular">{detail}</span>}
      </span>
      <span className="flex shrink-0 gap-3 text-muted tabular">
        {item.at !== null && <RelativeTime at={item.at} />}
        {item.amount !== null && <span className="text-ink">{formatMoney(item.amount)}</span>}
      </span>
    </li>
  )
}
