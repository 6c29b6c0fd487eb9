import { WAITING_COUNTED, type EndpointHealth } from '#core/contract/webhooks/endpoint-health.ts'
import type { WebhookConfig } from '#core/contract/webhooks/webhook-config.ts'
import { wordConditions } from '#core/domain/webhooks/conditions/word-conditions.ts'
import { findSendingTime, isSendingTime } from '#core/domain/webhooks/sending-hours/find-sending-time.ts'
import { formatOpening } from '#web/components/webhook-log-cells.ts'
import { countOf } from '#web/format/count-of.ts'

type Skipping = { day: Pick<EndpointHealth['day'], 'skipped'> }
type Asked = Pick<WebhookConfig, 'conditions' | 'sending_hours' | 'is_active'>

/**
 * Says how many leads a webhook's conditions have left out in 24 hours, and until when its sending hours hold
 * leads; empty if neither applies.
 * @param isWhole true to include the conditions in words
 */
export function describeFitsNow(
  config: Asked,
  health: Skipping | undefined,
  now: Date,
  isWhole: boolean,
): string[] {
  const skipped = health?.day.skipped ?? 0
  const { conditions, sending_hours: hours } = config
  const reason =
    isWhole && conditions !== null
      ? ` because ${skipped === 1 ? 'it does' : 'they do'} not fit: ${wordConditions(conditions)}`
      : ''
  return [
    ...(skipped === 0 ? [] : [`${describeSkipped(skipped)}${reason}.`]),
    ...(hours === null || !config.is_active || isSendingTime(hours, null, now)
      ? []
      : [
          `Outside its hours: leads wait until ${formatOpening(findSendingTime(hours, null, now).toISOString())}.`,
        ]),
  ]
}

function describeSkipped(count: number): string {
  return `${countOf(count, 'lead', count >= WAITING_COUNTED)} skipped in 24 hours`
}
