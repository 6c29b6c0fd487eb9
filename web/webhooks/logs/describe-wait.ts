import type { DeliveryLog } from '#core/contract/webhooks/delivery.ts'
import { judgeDelivery } from '#core/domain/webhooks/judge-delivery.ts'
import { nameCanceller, describeNextAttempt } from '#web/components/webhook-log-cells.ts'

/**
 * Returns the line below a row's status: what the delivery waits for, what followed, or who stopped it; null
 * if there is nothing to say.
 */
export function describeWait(
  log: DeliveryLog,
  all: readonly DeliveryLog[],
  isWebhookActive: boolean,
  now: Date,
): string | null {
  switch (judgeDelivery(log)) {
    case 'cancelled':
      return nameCanceller(log)
    case 'superseded':
      return log.delivery_state === 'cancelled' ? 'cancelled since' : 'tried again since'
    case 'sending':
      return 'being sent now'
    case 'held':
      return describeHold(log, isWebhookActive)
    case 'due':
    case 'retry':
      return describeNextAttempt(log, all, now)
    case 'resent':
      return 'sent again since'
    case 'over':
      return null
  }
}

/** Says what a held delivery waits for; no time is planned for it. */
export function describeHold(
  { offered_until: until }: Pick<DeliveryLog, 'offered_until'>,
  isWebhookActive: boolean,
) {
  if (until !== null) return isWebhookActive ? 'held for you to send' : 'held: the webhook is off'
  return isWebhookActive ? 'waits for the endpoint' : 'waits until the webhook is on'
}
