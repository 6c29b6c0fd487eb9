import type { DeliveryLog } from '#core/contract/webhooks/delivery.ts'
import { nameCanceller } from '#web/components/describe-cancellation.ts'
import { describeNextAttempt } from '#web/components/webhook-log-cells.ts'

/** What stands under a row's status: what its delivery is waiting for, or who stopped it. Null where it waits for nothing. */
export function describeWait(
  log: DeliveryLog,
  all: readonly DeliveryLog[],
  isWebhookActive: boolean,
  now: Date,
): string | null {
  if (log.delivery_status === 'cancelled') return nameCanceller(log)
  if (!log.is_latest) return null
  if (log.is_sending) return 'being sent now'
  if (log.delivery_state === 'held') return describeHold(isWebhookActive)
  return describeNextAttempt(log, all, now)
}

/** What a held delivery waits for: no moment is planned for it. */
export function describeHold(isWebhookActive: boolean) {
  return isWebhookActive ? 'waits for the endpoint' : 'waits until the webhook is on'
}
