import { useQuery } from '@tanstack/react-query'
import { Ban, CircleSlash, Ellipsis, ScrollText, SearchX } from 'lucide-react'
import { useEffect, useState } from 'react'
import type { WebhookConfig } from '#core/contract/webhooks/webhook-config.ts'
import { deliveryCountsQuery, latestReplayQuery, LOGS_SHOWN } from '../queries/webhook-delivery-logs.ts'
import { webhookConfigsQuery } from '../queries/webhook-configs.ts'
import { isNotFound } from '#web/api/errors.ts'
import { LoadFailure } from '#web/components/LoadFailure.tsx'
import { countOf } from '#web/format/count-of.ts'
import { Button } from '#web/ui/action/Button.tsx'
import { EmptyState } from '#web/ui/show/EmptyState.tsx'
import { IconButton } from '#web/ui/action/IconButton.tsx'
import { Menu } from '#web/ui/overlay/Menu.tsx'
import { MenuItem } from '#web/ui/overlay/MenuItem.tsx'
import { OfferedInLog } from '../health/OfferedInLog.tsx'
import { HealthSummary } from '../health/HealthSummary.tsx'
import { CancelWaitingDialog } from './CancelWaitingDialog.tsx'
import { DeliveryLogTable } from './DeliveryLogTable.tsx'
import { LiveIndicator } from './LiveIndicator.tsx'
import { LogFilterBar } from './LogFilterBar.tsx'
import { LogsSkeleton } from './LogsSkeleton.tsx'
import { LogsSummary } from './LogsSummary.tsx'
import { ReplayProgress } from './ReplayProgress.tsx'
import { ResendFailed } from './ResendFailed.tsx'
import { ResendFailedDialog } from './ResendFailedDialog.tsx'
import { useDeliveryActions } from './use-delivery-actions.tsx'
import { useLiveLogs } from './use-live-logs.ts'
import { useLogFilter } from './use-log-filter.ts'
import { useScrolledPast } from './use-scrolled-past.ts'

const DOUBTFUL_INTERVAL_MS = 3000

export interface ReplayChoice {
  id: string
  isShown: boolean
}

export interface DeliveryLogsProps {
  config: WebhookConfig
  returnedFrom: string | null
  /** The replay whose progress is shown, also after it has ended. */
  replayChoice: ReplayChoice | null
  onChooseReplay: (choice: ReplayChoice) => void
  onOpenAttempt: (logId: string) => void
}

export function DeliveryLogs({
  config,
  returnedFrom,
  onOpenAttempt,
  replayChoice: choice,
  onChooseReplay,
}: DeliveryLogsProps) {
  const { filter, change, count, clear } = useLogFilter()
  const { logs, state, setScrolled, showNewest } = useLiveLogs(config.id, filter)
  const top = useScrolledPast(setScrolled)
  const actions = useDeliveryActions(config.is_active)
  const [dialog, setDialog] = useState<'resend' | 'cancel' | null>(null)
  const replay = useQuery(latestReplayQuery(config.id)).data ?? null
  const isShown = choice !== null && choice.id === replay?.id ? choice.isShown : (replay?.waiting ?? 0) > 0
  const counts = useQuery(deliveryCountsQuery(config.id)).data
  const waiting = counts?.waiting ?? 0
  const rows = logs.data?.pages.flatMap((page) => page.data)
  // A held delivery or a 410 may mean that the webhook has been switched off since it was loaded.
  const isDoubtful = rows?.some((log) => log.delivery_state === 'held' || log.error_class === 'gone') === true
  const { refetch: readConfigs } = useQuery({
    ...webhookConfigsQuery,
    refetchInterval: config.is_active && isDoubtful ? DOUBTFUL_INTERVAL_MS : false,
  })
  // If it was deleted elsewhere, it leaves the list, and the page says what happened to its logs.
  const isGone = isNotFound(logs.error)
  useEffect(() => {
    if (isGone) void readConfigs()
  }, [isGone, readConfigs])

  return (
    <div className="flex flex-col sm:h-full">
      <LogsSummary config={config} />
      <HealthSummary configId={config.id} />
      <OfferedInLog configId={config.id} />
      <div className="flex flex-wrap items-start gap-x-4 gap-y-2 border-b border-line px-5 py-2.5">
        <LogFilterBar key={config.id} filter={filter} count={count} onChange={change} onClear={clear} />
        <div className="flex items-center gap-2 max-sm:w-full max-sm:flex-wrap">
          <LiveIndicator
            state={state}
            onResume={() => {
              showNewest()
              top.current?.scrollIntoView({ block: 'center' })
            }}
          />
          <ResendFailed hasFailed={counts?.has_failed ?? true} onPress={() => setDialog('resend')} />
          <Menu trigger={<IconButton size="sm" label="More log actions" icon={<Ellipsis aria-hidden />} />}>
            <MenuItem
              icon={<Ban aria-hidden />}
              tone="danger"
              disabled={waiting === 0}
              onSelect={() => setDialog('cancel')}
            >
              {waiting === 0 ? 'Nothing waits to be cancelled' : 'Cancel everything that waits…'}
            </MenuItem>
          </Menu>
        </div>
      </div>
      {replay !== null && isShown && (
        <ReplayProgress
          replay={replay}
          isWebhookActive={config.is_active}
          onDismiss={() => onChooseReplay({ id: replay.id, isShown: false })}
        />
      )}
      {logs.isError && !logs.isFetchNextPageError && (
        <div className="p-4">
          <LoadFailure
            title={rows === undefined ? 'The logs could not be loaded.' : 'The logs could not be refreshed.'}
            error={logs.error}
            onRetry={() => void logs.refetch()}
          />
        </div>
      )}
      {logs.isPending && <LogsSkeleton />}
      {rows?.length === 0 &&
        (count > 0 ? (
          <EmptyState
            icon={<SearchX aria-hidden />}
            title="No delivery logs match these filters"
            action={<Button onClick={clear}>Clear filters</Button>}
          >
            {filter.status === 'failed'
              ? 'Nothing failed here: that is good news.'
              : 'Try another word, status or time.'}
          </EmptyState>
        ) : (
          <EmptyState icon={<ScrollText aria-hidden />} title="No delivery logs found">
            Logs will appear here when webhooks are delivered to your endpoint.
          </EmptyState>
        ))}
      {rows !== undefined && rows.length > 0 && (
        <DeliveryLogTable
          logs={rows}
          now={new Date(logs.dataUpdatedAt)}
          isWebhookActive={config.is_active}
          actions={actions}
          returnedFrom={returnedFrom}
          onOpenAttempt={onOpenAttempt}
          top={top}
          end={
            <div className="sticky left-0 flex min-h-14 items-center justify-between gap-4 border-t border-line px-5 py-2.5">
              <p role="status" className="text-xs text-muted tabular">
                {logs.hasNextPage
                  ? `The newest ${countOf(rows.length, 'attempt')} ${rows.length === 1 ? 'is' : 'are'} shown.`
                  : `${countOf(rows.length, 'attempt')}, that is all${count > 0 ? ' that match' : ''}.`}
              </p>
              {logs.isFetchNextPageError && (
                <span className="flex items-center gap-1.5 text-xs text-failure">
                  <CircleSlash aria-hidden className="size-3.5" /> More could not be loaded.
                </span>
              )}
              {logs.hasNextPage && (
                <Button size="sm" busy={logs.isFetchingNextPage} onClick={() => void logs.fetchNextPage()}>
                  Load {LOGS_SHOWN} more
                </Button>
              )}
            </div>
          }
        />
      )}
      {actions.questions}
      <ResendFailedDialog
        config={config}
        open={dialog === 'resend'}
        onClose={() => setDialog(null)}
        onStarted={(id) => onChooseReplay({ id, isShown: true })}
      />
      <CancelWaitingDialog config={config} open={dialog === 'cancel'} onClose={() => setDialog(null)} />
    </div>
  )
}
