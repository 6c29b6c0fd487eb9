import { useQuery } from '@tanstack/react-query'
import { ScrollText } from 'lucide-react'
import type { WebhookConfig } from '../../../../core/contract/webhook-config.ts'
import { deliveryLogsQuery, LOGS_SHOWN } from '../../../api/webhook-delivery-logs.ts'
import { LoadFailure } from '../../../components/LoadFailure.tsx'
import { Badge } from '../../../ui/Badge.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { Skeleton } from '../../../ui/Skeleton.tsx'
import { DeliveryLogTable } from './DeliveryLogTable.tsx'
import { SummaryItem } from './SummaryItem.tsx'

export interface DeliveryLogsProps {
  config: WebhookConfig
  returnedFrom: string | null
  onOpenAttempt: (logId: string) => void
}

export function DeliveryLogs({ config, returnedFrom, onOpenAttempt }: DeliveryLogsProps) {
  const logs = useQuery(deliveryLogsQuery(config.id))
  const total = logs.data === undefined ? undefined : countLogs(logs.data.data.length, logs.data.next_cursor)
  return (
    <>
      <dl className="grid gap-x-8 gap-y-3 border-b border-line px-5 py-4 grid-cols-3 sm:grid-cols-[minmax(0,1fr)_auto_auto_auto]">
        <SummaryItem label="Endpoint" className="col-span-3 sm:col-span-1">
          <span className="block truncate font-mono text-xs leading-5" title={config.endpoint_url}>
            {config.endpoint_url}
          </span>
        </SummaryItem>
        <SummaryItem label="Method">
          <span className="font-mono text-xs leading-5">{config.request_method}</span>
        </SummaryItem>
        <SummaryItem label="Status">
          <Badge tone={config.is_active ? 'success' : 'neutral'}>
            {config.is_active ? 'Active' : 'Inactive'}
          </Badge>
        </SummaryItem>
        <SummaryItem label="Total logs">
          <span className="tabular">{total ?? '–'}</span>
        </SummaryItem>
      </dl>
      {logs.isError && (
        <div className="p-4">
          <LoadFailure
            title="The logs could not be refreshed."
            error={logs.error}
            onRetry={() => void logs.refetch()}
          />
        </div>
      )}
      {logs.isPending && <LogSkeleton />}
      {logs.data?.data.length === 0 && (
        <EmptyState icon={<ScrollText aria-hidden />} title="No delivery logs found">
          Logs will appear here when webhooks are delivered to your endpoint.
        </EmptyState>
      )}
      {logs.data !== undefined && logs.data.data.length > 0 && (
        <>
          <DeliveryLogTable
            logs={logs.data.data}
            now={new Date(logs.dataUpdatedAt)}
            returnedFrom={returnedFrom}
            onOpenAttempt={onOpenAttempt}
          />
          {logs.data.next_cursor !== null && (
            <p className="border-t border-line px-5 py-3 text-xs text-muted">
              The newest {LOGS_SHOWN} attempts are shown.
            </p>
          )}
        </>
      )}
    </>
  )
}

function countLogs(shown: number, nextCursor: string | null) {
  return nextCursor === null ? String(shown) : `${shown}+`
}

function LogSkeleton() {
  return (
    <div role="status" aria-label="Loading delivery logs" className="flex flex-col gap-4 px-5 py-4">
      {[1, 2, 3, 4, 5, 6].map((row) => (
        <div key={row} className="flex items-center gap-6">
          <Skeleton className="h-8 w-48" />
          <Skeleton className="h-5 w-16" />
          <Skeleton className="hidden h-4 flex-1 sm:block" />
        </div>
      ))}
    </div>
  )
}
