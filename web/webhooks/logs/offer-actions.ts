import type { DeliveryLog } from '#core/contract/webhooks/delivery.ts'

/**
 * What sending again means for a row: `again` makes a new delivery, `delivered` too but the receiver has it already, `now`
 * makes the planned attempt at once. `refused` says why none of them can be done.
 */
export type ResendOffer = { kind: 'again' | 'delivered' | 'now' } | { kind: 'refused'; reason: string }

type Row = Pick<
  DeliveryLog,
  'delivery_status' | 'delivery_state' | 'is_sending' | 'is_sent_again' | 'next_attempt_at'
>

const ON_ITS_WAY: ResendOffer = { kind: 'refused', reason: 'It is being sent again already.' }

export function offerResend(log: Row, isWebhookActive: boolean, now: Date): ResendOffer {
  if (!isWebhookActive)
    return { kind: 'refused', reason: 'The webhook is switched off. Activate it to send.' }
  if (log.is_sending) return { kind: 'refused', reason: 'It is being sent right now.' }
  switch (log.delivery_state) {
    case 'held':
      return { kind: 'now' }
    case 'pending': {
      const isDue = log.next_attempt_at === null || Date.parse(log.next_attempt_at) <= now.getTime()
      return log.delivery_status === 'pending' || isDue
        ? { kind: 'refused', reason: 'It is about to be sent.' }
        : { kind: 'now' }
    }
    case 'delivered':
      return log.is_sent_again ? ON_ITS_WAY : { kind: 'delivered' }
    default:
      return log.is_sent_again ? ON_ITS_WAY : { kind: 'again' }
  }
}

/** Only what has not arrived yet can be stopped. */
export function canCancel(log: Pick<DeliveryLog, 'delivery_state'>) {
  return log.delivery_state === 'pending' || log.delivery_state === 'held'
}
