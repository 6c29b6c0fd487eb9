import type { DeliveryLog } from '#core/contract/webhooks/delivery.ts'
import { judgeDelivery, type JudgedRow } from '#core/domain/webhooks/judge-delivery.ts'

/**
 * The effect of a resend for a row. `again`: a new delivery; `delivered`: the same, but the receiver already
 * has the lead; `now`: the planned attempt is made at once; `refused`: none of them, with the reason.
 */
export type ResendOffer = { kind: 'again' | 'delivered' | 'now' } | { kind: 'refused'; reason: string }

type Row = JudgedRow & Pick<DeliveryLog, 'next_attempt_at'>

function refuse(reason: string): ResendOffer {
  return { kind: 'refused', reason }
}

export function offerResend(log: Row, isWebhookActive: boolean, now: Date): ResendOffer {
  if (!isWebhookActive) return refuse('The webhook is switched off. Activate it to send.')
  switch (judgeDelivery(log)) {
    case 'superseded':
      return log.delivery_state === 'cancelled'
        ? refuse('The delivery was cancelled later. Resend it from its newest row.')
        : refuse('A later attempt of this delivery followed. Resend it from its newest row.')
    case 'resent':
      return refuse(
        log.is_sent_again
          ? 'It is being sent again already.'
          : 'It was sent again. Resend the newer delivery.',
      )
    case 'sending':
      return refuse('It is being sent right now.')
    case 'held':
      return { kind: 'now' }
    case 'due':
      return refuse('It is about to be sent.')
    case 'retry': {
      const isDue = log.next_attempt_at === null || Date.parse(log.next_attempt_at) <= now.getTime()
      return isDue ? refuse('It is about to be sent.') : { kind: 'now' }
    }
    default:
      return log.delivery_state === 'delivered' ? { kind: 'delivered' } : { kind: 'again' }
  }
}

/** Only a delivery that has not arrived yet can be cancelled. */
export function canCancel(log: Pick<DeliveryLog, 'delivery_state'>) {
  return log.delivery_state === 'pending' || log.delivery_state === 'held'
}
