import { useQuery } from '@tanstack/react-query'
import type { QueueCounts, Queues } from '#core/contract/operations/queues.ts'
import { LoadFailure } from '../components/LoadFailure.tsx'
import { formatCount } from '../format/count-of.ts'
import { Banner } from '../ui/show/Banner.tsx'
import { Card } from '../ui/show/Card.tsx'
import { RelativeTime } from '../ui/show/RelativeTime.tsx'
import { DataTable } from '../ui/show/table/DataTable.tsx'
import { CardSkeleton } from '../ui/wait/CardSkeleton.tsx'
import { queuesQuery } from './operation-queries.ts'

const COLUMNS: ReadonlyArray<{ state: keyof QueueCounts; header: string; note: string }> = [
  { state: 'waiting', header: 'Waiting', note: 'Due, for a worker' },
  { state: 'active', header: 'Active', note: 'A worker has them' },
  { state: 'delayed', header: 'Delayed', note: '' },
  { state: 'failed', header: 'Failed', note: 'Dead letters' },
  { state: 'completed', header: 'Completed', note: 'In the last hour' },
]

/** Shows what is wrong with the queues of deliveries, and their counts: the same as on the queue dashboard. */
export function QueueStrip() {
  const queues = useQuery(queuesQuery)
  if (queues.data === undefined) {
    return queues.isError ? (
      <LoadFailure
        title="The deliveries could not be counted."
        error={queues.error}
        onRetry={() => void queues.refetch()}
      />
    ) : (
      <CardSkeleton />
    )
  }
  const { total, shards, problems, counted_at: countedAt } = queues.data
  return (
    <>
      <Problems problems={problems} />
      <Card aria-label="Deliveries by state" flush>
        <dl className="grid grid-cols-2 gap-px overflow-hidden rounded-t-lg bg-line sm:grid-cols-5">
          {COLUMNS.map(({ state, header, note }) => (
            <div key={state} className="bg-surface px-4 py-3 last:col-span-2 sm:last:col-span-1">
              <dt className="text-xs text-muted">{header}</dt>
              <dd className="text-xl font-semibold tabular">{show(total, state)}</dd>
              <dd className="text-xs text-muted">
                {state === 'delayed' ? `For a later try; ${show(total, 'held')} held` : note}
              </dd>
            </div>
          ))}
        </dl>
        <p className="border-t border-line px-4 py-2 text-xs text-muted">
          Counted <RelativeTime at={countedAt} />
        </p>
        {shards.length > 1 && <Shards shards={shards} />}
      </Card>
    </>
  )
}

function Problems({ problems }: Pick<Queues, 'problems'>) {
  if (problems.length === 0) return null
  return (
    <Banner tone={problems.some((problem) => problem.is_severe) ? 'failure' : 'waiting'}>
      {problems.map(({ code, sentence }) => (
        <p key={code}>{sentence}</p>
      ))}
    </Banner>
  )
}

function Shards({ shards }: Pick<Queues, 'shards'>) {
  return (
    <div className="border-t border-line">
      <DataTable
        label="Deliveries by shard"
        items={shards}
        keyOf={({ queue }) => queue}
        columns={[
          { header: 'Queue', part: 'who', render: ({ queue }) => queue },
          ...COLUMNS.map(({ state, header }) => ({
            header,
            part: 'figure' as const,
            numeric: true,
            render: ({ counts }: Queues['shards'][number]) => show(counts, state),
          })),
        ]}
      />
    </div>
  )
}

function show(counts: QueueCounts, state: keyof QueueCounts) {
  return formatCount(counts[state].count, counts[state].more)
}
