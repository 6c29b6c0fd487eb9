import { useQuery } from '@tanstack/react-query'
import { ArrowLeft } from 'lucide-react'
import { deliveryLogQuery } from '../../../api/webhook-delivery-logs.ts'
import { LoadFailure } from '../../../components/LoadFailure.tsx'
import { Button } from '../../../ui/Button.tsx'
import { JourneyLine } from '../../../ui/JourneyLine.tsx'
import { Skeleton } from '../../../ui/Skeleton.tsx'
import { drawAttemptJourney } from './attempt-journey.ts'
import { AttemptExchange } from './AttemptExchange.tsx'
import { AttemptSummary } from './AttemptSummary.tsx'

export interface AttemptDetailProps {
  logId: string
  onBack: () => void
}

/** One attempt, response first. Takes the place of the table in the dialog. */
export function AttemptDetail({ logId, onBack }: AttemptDetailProps) {
  const attempt = useQuery(deliveryLogQuery(logId))
  return (
    <div className="flex flex-col gap-5 p-5">
      <div className="flex">
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
      </div>
      {attempt.isPending && <DetailSkeleton />}
      {attempt.isError && attempt.data === undefined && (
        <LoadFailure
          title="This attempt could not be loaded."
          error={attempt.error}
          onRetry={() => void attempt.refetch()}
        />
      )}
      {attempt.data !== undefined && (
        <>
          <AttemptSummary attempt={attempt.data} now={new Date(attempt.dataUpdatedAt)} />
          <div className="rounded-lg border border-line p-4">
            <JourneyLine stations={drawAttemptJourney(attempt.data)} />
            {attempt.data.error_message !== null && (
              <p className="mt-3 border-t border-line pt-3 text-sm break-words">
                {attempt.data.error_message}
              </p>
            )}
          </div>
          <AttemptExchange attempt={attempt.data} />
        </>
      )}
    </div>
  )
}

function DetailSkeleton() {
  return (
    <div role="status" aria-label="Loading the attempt" className="flex flex-col gap-5">
      <Skeleton className="h-12 w-full" />
      <Skeleton className="h-20 w-full" />
      <Skeleton className="h-64 w-full" />
    </div>
  )
}
