import { useQuery } from '@tanstack/react-query'
import { CircleCheck } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { Link, useLocation } from 'react-router-dom'
import { EXCEPTIONS_LISTED } from '#core/contract/market/delivery-figures.ts'
import { LoadFailure } from '#web/components/LoadFailure.tsx'
import { formatMoney } from '#web/format/money.ts'
import { leadPath, webhooksPath } from '#web/paths.ts'
import { Badge } from '#web/ui/show/Badge.tsx'
import { Card } from '#web/ui/show/Card.tsx'
import { EmptyState } from '#web/ui/show/EmptyState.tsx'
import { RelativeTime } from '#web/ui/show/RelativeTime.tsx'
import { DataTable } from '#web/ui/show/table/DataTable.tsx'
import type { TableColumn } from '#web/ui/show/table/table-column.ts'
import { Skeleton } from '#web/ui/wait/Skeleton.tsx'
import { Waiting } from '#web/ui/wait/Waiting.tsx'
import { exceptionsQuery } from './enterprise-queries.ts'
import type { AskedDeliveries } from './enterprise-view.ts'
import { leadOf, listQueue, writeQueue, type ExceptionRow } from './exception-rows.ts'
import { ExportButton } from './ExportButton.tsx'
import { ResendFailure } from './ResendFailure.tsx'

const TITLE = 'Exceptions'
export const QUEUE_HASH = '#exceptions'

/** Lists what waits for the client. Each row can be resent here or links to the screen for it. */
export function ExceptionPanel({ asked }: { asked: AskedDeliveries }) {
  const exceptions = useQuery(exceptionsQuery(asked))
  const panel = useRef<HTMLDivElement>(null)
  const { hash, key } = useLocation()
  useEffect(() => {
    if (hash !== QUEUE_HASH) return
    panel.current?.scrollIntoView({ block: 'start' })
    panel.current?.focus({ preventScroll: true })
  }, [hash, key])
  const rows = exceptions.data && listQueue(exceptions.data)
  const hasMore = exceptions.data?.failed_more === true || exceptions.data?.returns_more === true
  return (
    <div ref={panel} tabIndex={-1} className="scroll-mt-20 outline-none">
      {rows === undefined && exceptions.isError ? (
        <LoadFailure
          title="What waits for you could not be loaded."
          error={exceptions.error}
          onRetry={() => void exceptions.refetch()}
        />
      ) : (
        <Card
          title={TITLE}
          flush
          aria-busy={exceptions.isPlaceholderData}
          actions={
            <ExportButton
              what="exceptions"
              disabled={rows === undefined || rows.length === 0}
              write={() => writeQueue(rows ?? [])}
            />
          }
        >
          {rows === undefined ? (
            <Waiting label="Loading what waits for you" className="flex flex-col gap-4 p-4">
              {[1, 2, 3].map((line) => (
                <Skeleton key={line} className="h-6 w-full" />
              ))}
            </Waiting>
          ) : rows.length === 0 ? (
            <EmptyState icon={<CircleCheck aria-hidden />} title="Nothing waits for you">
              Deliveries of this period that finally failed, and returns that nobody has decided yet, appear
              here.
            </EmptyState>
          ) : (
            <DataTable
              label={TITLE}
              className="max-h-[36rem]"
              movesByRow
              columns={COLUMNS}
              items={rows}
              keyOf={(row) => row.key}
              {...(hasMore && {
                after: (
                  <p className="border-t border-line px-4 py-2 text-sm text-muted">
                    {`The newest ${EXCEPTIONS_LISTED} of each kind. Narrow the view to see the others.`}
                  </p>
                ),
              })}
            />
          )}
        </Card>
      )}
    </div>
  )
}

const LINK_CLASS = 'inline-flex min-h-6 min-w-6 items-center rounded-sm text-accent-strong hover:underline'

const COLUMNS: readonly TableColumn<ExceptionRow>[] = [
  {
    header: 'Lead',
    part: 'who',
    className: 'min-w-36 max-w-64',
    render: (row) => {
      const { id, name, state } = leadOf(row)
      return (
        <span className="flex items-baseline gap-2">
          <Link to={leadPath(id)} className="truncate rounded-sm py-0.5 font-medium hover:underline">
            {name ?? 'Unknown'}
          </Link>
          <span className="text-xs text-muted">{state}</span>
        </span>
      )
    },
  },
  {
    header: 'What',
    part: 'how',
    render: ({ kind }) =>
      kind === 'failed' ? (
        <Badge tone="failure">Delivery failed</Badge>
      ) : (
        <Badge tone="waiting">Return waits</Badge>
      ),
  },
  { header: 'Since', part: 'when', render: ({ at }) => <RelativeTime at={at} /> },
  {
    header: 'Where',
    part: 'brief',
    className: 'max-w-64',
    render: (row) =>
      row.kind === 'failed' ? (
        <Link
          to={webhooksPath(row.failed.webhook_config_id, row.failed.attempt_id ?? undefined)}
          className={LINK_CLASS}
        >
          {row.failed.webhook_name}
          <span className="sr-only">, log</span>
        </Link>
      ) : (
        `${formatMoney(row.asked.price)} to come back`
      ),
  },
  { header: 'Why', part: 'note', className: 'min-w-48 text-muted', render: ({ why }) => why },
  {
    header: 'Actions',
    part: 'actions',
    className: 'text-right whitespace-nowrap',
    render: (row) =>
      row.kind === 'failed' ? (
        <ResendFailure failed={row.failed} />
      ) : (
        <Link to={leadPath(row.asked.lead.id)} className={LINK_CLASS}>
          Open lead<span className="sr-only"> {row.asked.lead.name}</span>
        </Link>
      ),
  },
]
