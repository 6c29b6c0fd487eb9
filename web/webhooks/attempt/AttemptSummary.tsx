import { Link } from 'react-router-dom'
import type { DeliveryLogDetail } from '#core/contract/webhooks/delivery.ts'
import { judgeDelivery, plannedAttempt } from '#core/domain/webhooks/judge-delivery.ts'
import {
  labelDeliveryStatus,
  describeLead,
  describeRateWait,
  formatDueIn,
  formatResponseCode,
  labelOutcome,
} from '#web/components/webhook-log-cells.ts'
import { words } from '#web/format/words.ts'
import { leadPath } from '#web/paths.ts'
import { Badge } from '#web/ui/show/Badge.tsx'
import { CopyButton } from '#web/ui/action/CopyButton.tsx'
import { ExactTime } from '#web/ui/show/ExactTime.tsx'
import { describeHold, describeWait } from '../logs/describe-wait.ts'
import { SummaryItem } from '../logs/SummaryItem.tsx'

export interface AttemptSummaryProps {
  attempt: DeliveryLogDetail
  isWebhookActive: boolean
  now: Date
}

export function AttemptSummary({ attempt, isWebhookActive, now }: AttemptSummaryProps) {
  const status = labelDeliveryStatus(attempt)
  const lead = describeLead(attempt)
  return (
    <dl className="grid grid-cols-2 gap-x-8 gap-y-4 tight:grid-cols-1 md:grid-cols-4">
      <SummaryItem label="Status">
        <Badge tone={status.tone}>{status.label}</Badge>
      </SummaryItem>
      <SummaryItem label="Response code">
        <span className="tabular">{formatResponseCode(attempt.response_status)}</span>
      </SummaryItem>
      <SummaryItem label="Attempt">
        <span className="tabular">
          {/* Tries that our mail server did not take are no attempts of the schedule. */}
          {attempt.attempt_number > attempt.max_attempts
            ? attempt.attempt_number
            : `${attempt.attempt_number} of ${attempt.max_attempts}`}
        </span>
      </SummaryItem>
      <SummaryItem label="Timestamp">
        <time
          dateTime={attempt.created_at}
          title={new Date(attempt.created_at).toISOString()}
          className="tabular"
        >
          <ExactTime at={attempt.created_at} />
        </time>
      </SummaryItem>
      {attempt.lead_id !== null && (
        <SummaryItem label="Lead">
          <Link to={leadPath(attempt.lead_id)} className="break-words text-accent hover:underline">
            {lead.name}
          </Link>
        </SummaryItem>
      )}
      <SummaryItem label="Event">
        <code className="font-mono text-xs break-words">{attempt.event_type}</code>
      </SummaryItem>
      <SummaryItem label="Next attempt">
        <NextAttempt attempt={attempt} isWebhookActive={isWebhookActive} now={now} />
      </SummaryItem>
      {attempt.outcome !== null && (
        <SummaryItem label="The answer says">{labelOutcome(attempt.outcome)}</SummaryItem>
      )}
      {attempt.receiver_id !== null && (
        <IdItem label="Id at the receiver" value={attempt.receiver_id} copy="Copy id at the receiver" />
      )}
      <IdItem label="Delivery id" value={attempt.delivery_id} copy="Copy delivery id" />
      <IdItem label="webhook-id" value={attempt.event_id} copy="Copy webhook-id" />
    </dl>
  )
}

function IdItem({ label, value, copy }: { label: string; value: string; copy: string }) {
  return (
    <SummaryItem label={label}>
      <span className="flex items-center gap-1">
        <code className="truncate font-mono text-xs" title={value}>
          {value}
        </code>
        <CopyButton value={value} label={copy} className="-my-1" />
      </span>
    </SummaryItem>
  )
}

function NextAttempt({ attempt, isWebhookActive, now }: AttemptSummaryProps) {
  const standing = judgeDelivery(attempt)
  const at = plannedAttempt(attempt)
  if (standing === 'sending') return 'Being sent now'
  if (standing === 'held') return words(describeHold(attempt, isWebhookActive))
  if (at !== null) {
    return (
      <time dateTime={at} className="tabular">
        {formatDueIn(at, now)}
        {attempt.waits_for_hours && <span className="block">waits for its sending hours</span>}
        {attempt.waits_for_rate !== null && (
          <span className="block">{describeRateWait(attempt.waits_for_rate)}</span>
        )}
        <span className="block text-xs text-muted">
          <ExactTime at={at} />
        </span>
      </time>
    )
  }
  const followed = standing === 'superseded' || standing === 'resent'
  return (
    <span className="text-muted">
      {followed ? words(describeWait(attempt, [], isWebhookActive, now) ?? '') : 'None'}
    </span>
  )
}
