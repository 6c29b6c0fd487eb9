import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router-dom'
import { labelDeliveryStatus } from '#web/components/webhook-log-cells.ts'
import { LoadFailure } from '#web/components/LoadFailure.tsx'
import { webhooksPath } from '#web/paths.ts'
import { Badge } from '#web/ui/show/Badge.tsx'
import { Card } from '#web/ui/show/Card.tsx'
import { JourneyLine } from '#web/ui/show/JourneyLine.tsx'
import { CardSkeleton } from '#web/ui/wait/CardSkeleton.tsx'
import { drawAttemptJourney } from '#web/webhooks/attempt/attempt-journey.ts'
import { AttemptExchange } from '#web/webhooks/attempt/AttemptExchange.tsx'
import { deliveryLogQuery } from '#web/webhooks/queries/webhook-delivery-logs.ts'

/** Shows the request of a test lead and the endpoint's answer, as the delivery log does. */
export function ReceivedLead({ attemptId }: { attemptId: string }) {
  const { data: attempt, ...query } = useQuery(deliveryLogQuery(attemptId))
  if (attempt === undefined) {
    return query.isError ? (
      <LoadFailure
        title="What your endpoint received could not be loaded."
        error={query.error}
        onRetry={() => void query.refetch()}
      />
    ) : (
      <CardSkeleton />
    )
  }
  const { label, tone } = labelDeliveryStatus(attempt)
  const isReceived = tone === 'success'
  return (
    <Card
      title={isReceived ? 'What your endpoint received' : 'What your endpoint answered'}
      actions={
        <Badge tone={tone}>
          {label}
          {attempt.response_status !== null && ` · ${attempt.response_status}`}
        </Badge>
      }
    >
      <div className="flex min-w-0 flex-col gap-4">
        <JourneyLine stations={drawAttemptJourney(attempt)} />
        {attempt.error_message !== null && (
          <p className="text-sm break-words">
            {attempt.error_message} To see the next attempt and how to fix the problem, open{' '}
            <Link to={webhooksPath(attempt.webhook_config_id)} className="text-accent-strong underline">
              its delivery log
            </Link>
            .
          </p>
        )}
        <AttemptExchange attempt={attempt} first={isReceived ? 'request' : 'response'} />
      </div>
    </Card>
  )
}
