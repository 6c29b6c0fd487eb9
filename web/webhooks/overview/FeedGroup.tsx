import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router-dom'
import { FEED_KINDS, type FeedDay } from '#core/contract/leads/feed.ts'
import { useMemberMay } from '#web/api/use-member-may.ts'
import { LoadFailure } from '#web/components/LoadFailure.tsx'
import { formatCount } from '#web/format/count-of.ts'
import { PATHS } from '#web/paths.ts'
import { CopyButton } from '#web/ui/action/CopyButton.tsx'
import { Disclosure } from '#web/ui/action/Disclosure.tsx'
import { Skeleton } from '#web/ui/wait/Skeleton.tsx'
import { feedTodayQuery } from '../queries/feed-today.ts'

/** The account's feed in a closed group. Agents do not see it, because it has the leads of all people. */
export function FeedGroup() {
  if (useMemberMay('members') !== true) return null
  return (
    <Disclosure title="Prove that your CRM has every lead">
      <Today />
    </Disclosure>
  )
}

function Today() {
  const { data, error, isError, refetch } = useQuery(feedTodayQuery)
  if (isError && data === undefined)
    return <LoadFailure title="The feed could not be loaded." error={error} onRetry={() => void refetch()} />
  return (
    <div className="flex max-w-prose flex-col gap-3 pl-6 text-sm">
      <p className="text-muted">
        Leadwire numbers everything that happens to your leads, without gaps. Your CRM has all of it if its
        last number and hash are these.{' '}
        <Link
          to={`${PATHS.documentation}/feed`}
          className="rounded-sm text-accent-strong underline underline-offset-2"
        >
          How to check
        </Link>
      </p>
      {data === undefined ? <Skeleton className="h-24" /> : <Figures day={data} />}
    </div>
  )
}

function Figures({ day: { last_number, counts, hash } }: { day: FeedDay }) {
  if (last_number === 0) return <p>There is no entry yet. Your next lead will be number 1.</p>
  return (
    <dl className="grid grid-cols-[auto_1fr] items-center gap-x-4 gap-y-1">
      <dt className="text-muted">Last number</dt>
      <dd className="font-semibold tabular">{formatCount(last_number)}</dd>
      <dt className="text-muted">Today, in UTC</dt>
      <dd>{FEED_KINDS.map((kind) => `${formatCount(counts[kind])} ${kind}`).join(', ')}</dd>
      <dt className="text-muted">Hash</dt>
      <dd className="flex min-w-0 items-center gap-2">
        <code className="min-w-0 font-mono text-xs break-all">{hash}</code>
        <CopyButton value={hash} label="Copy hash" />
      </dd>
    </dl>
  )
}
