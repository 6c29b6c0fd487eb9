import { describeCancellation } from '#web/components/webhook-log-cells.ts'
import { useQuery } from '@tanstack/react-query'
import { ArrowLeft } from 'lucide-react'
import type { WebhookConfig } from '#core/contract/webhooks/webhook-config.ts'
import { deliveryLogQuery } from '../queries/webhook-delivery-logs.ts'
import { LoadFailure } from '#web/components/LoadFailure.tsx'
import { Button } from '#web/ui/action/Button.tsx'
import { useEscape } from '#web/ui/overlay/layer/use-escape.ts'
import { JourneyLine } from '#web/ui/show/JourneyLine.tsx'
import { Skeleton } from '#web/ui/wait/Skeleton.tsx'
import { Waiting } from '#web/ui/wait/Waiting.tsx'
import { drawAttemptJourney } from './attempt-journey.ts'
import { AttemptActions } from './AttemptActions.tsx'
import { AttemptExchange } from './AttemptExchange.tsx'
import { AttemptFamily } from './AttemptFamily.tsx'
import { AttemptPager } from './AttemptPager.tsx'
import { AttemptSummary } from './AttemptSummary.tsx'

export interface AttemptDetailProps {
  config: WebhookConfig
  logId: string
  onBack: () => void
  /** Called to show another attempt in its place. */
  onShow: (logId: string) => void
}

/** Shows one attempt, response first. It replaces the table in the dialog. */
export function AttemptDetail({ config, logId, onBack, onShow }: AttemptDetailProps) {
  // Escape goes back to the table and does not close the dialog.
  useEscape(onBack)
  const { data, ...attempt } = useQuery(deliveryLogQuery(logId))
  const message =
    data?.delivery_status === 'cancelled' ? describeCancellation(data) : (data?.error_message ?? null)
  return (
    <div className="flex flex-col gap-5 p-5 sm:h-full sm:overflow-y-auto">
      <div className="flex flex-wrap items-center gap-2">
        <Button
          variant="quiet"
          size="sm"
          className="-ml-3"
          icon={<ArrowLeft aria-hidden className="size-4" />}
          onClick={onBack}
          autoFocus
        >
          Back to logs
        </Button>
        <AttemptPager config={config} logId={data?.id ?? logId} onShow={onShow} />
        {data !== undefined && (
          <AttemptActions
            attempt={data}
            isWebhookActive={config.is_active}
            now={new Date(attempt.dataUpdatedAt)}
            onSent={onShow}
          />
        )}
      </div>
      {data === undefined && attempt.isPending && <DetailSkeleton />}
      {attempt.isError && data === undefined && (
        <LoadFailure
          title="This attempt could not be loaded."
          error={attempt.error}
          onRetry={() => void attempt.refetch()}
        />
      )}
      {data !== undefined && (
        <>
          <AttemptSummary
            attempt={data}
            isWebhookActive={config.is_active}
            now={new Date(attempt.dataUpdatedAt)}
          />
          <AttemptFamily attempt={data} onShow={onShow} />
          <div className="rounded-lg border border-line p-4">
            <JourneyLine stations={drawAttemptJourney(data)} />
            {message !== null && (
              <p className="mt-3 border-t border-line pt-3 text-sm break-words">{message}</p>
            )}
          </div>
          <AttemptExchange attempt={data} />
        </>
      )}
    </div>
  )
}

function DetailSkeleton() {
  return (
    <Waiting label="Loading the attempt" className="flex flex-col gap-5">
      <Skeleton className="h-12 w-full" />
      <Skeleton className="h-20 w-full" />
      <Skeleton className="h-64 w-full" />
    </Waiting>
  )
}
