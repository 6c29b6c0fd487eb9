import { describeCancellation } from '#web/components/webhook-log-cells.ts'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { LoadFailure } from '#web/components/LoadFailure.tsx'
import { Dialog } from '#web/ui/overlay/Dialog.tsx'
import { JourneyLine } from '#web/ui/show/JourneyLine.tsx'
import { Skeleton } from '#web/ui/wait/Skeleton.tsx'
import { Waiting } from '#web/ui/wait/Waiting.tsx'
import { anyDeliveryLogQuery } from '../queries/any-delivery-log.ts'
import { drawAttemptJourney } from './attempt-journey.ts'
import { AttemptExchange } from './AttemptExchange.tsx'
import { AttemptFamily } from './AttemptFamily.tsx'
import { AttemptSummary } from './AttemptSummary.tsx'

export interface AttemptPanelProps {
  logId: string
  onClose: () => void
}

/** One attempt of any client, for administrators: what was sent, and what the endpoint answered. */
export function AttemptPanel({ logId, onClose }: AttemptPanelProps) {
  const [shown, setShown] = useState(logId)
  const { data, ...attempt } = useQuery(anyDeliveryLogQuery(shown))
  const message =
    data?.delivery_status === 'cancelled' ? describeCancellation(data) : (data?.error_message ?? null)
  return (
    <Dialog
      open
      onOpenChange={(next) => {
        if (!next) onClose()
      }}
      title="Delivery attempt"
      size="xl"
      startAt="title"
    >
      {data === undefined && attempt.isPending && (
        <Waiting label="Loading the attempt" className="flex flex-col gap-5">
          <Skeleton className="h-20 w-full" />
          <Skeleton className="h-64 w-full" />
        </Waiting>
      )}
      {attempt.isError && data === undefined && (
        <LoadFailure
          title="This attempt could not be loaded."
          error={attempt.error}
          onRetry={() => void attempt.refetch()}
        />
      )}
      {data !== undefined && (
        <div className="flex flex-col gap-5">
          <AttemptSummary attempt={data} isWebhookActive now={new Date(attempt.dataUpdatedAt)} />
          <AttemptFamily attempt={data} onShow={setShown} />
          <div className="rounded-lg border border-line p-4">
            <JourneyLine stations={drawAttemptJourney(data)} />
            {message !== null && (
              <p className="mt-3 border-t border-line pt-3 text-sm break-words">{message}</p>
            )}
          </div>
          <AttemptExchange attempt={data} />
        </div>
      )}
    </Dialog>
  )
}
