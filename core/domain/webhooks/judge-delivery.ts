import type { DeliveryLog } from '#core/contract/webhooks/delivery.ts'

/**
 * The present meaning of a row of the log. `superseded`: a later attempt of its delivery, or its end, followed;
 * `resent`: the same event was sent again, as a delivery of its own; `due`: its first attempt is to come, `retry`: a
 * further one; `over`: nothing follows.
 */
export type DeliveryStanding =
  | 'cancelled'
  | 'superseded'
  | 'sending'
  | 'held'
  | 'due'
  | 'retry'
  | 'resent'
  | 'over'

export type JudgedRow = Pick<
  DeliveryLog,
  'delivery_status' | 'delivery_state' | 'is_latest' | 'is_sending' | 'is_sent_again' | 'is_resent'
>

/** The one status of a delivery's row, on every screen (docs/product.md §2). */
export function judgeDelivery(row: JudgedRow): DeliveryStanding {
  if (row.delivery_status === 'cancelled') return row.is_resent || row.is_sent_again ? 'resent' : 'cancelled'
  if (!row.is_latest) return 'superseded'
  if (row.is_sending) return 'sending'
  if (row.delivery_state === 'held') return 'held'
  if (row.delivery_state === 'pending') return row.delivery_status === 'pending' ? 'due' : 'retry'
  // A delivery that arrived may be sent again, any number of times, when somebody asks for it.
  return row.is_sent_again || (row.is_resent && row.delivery_state !== 'delivered') ? 'resent' : 'over'
}

/** The planned time of its next attempt; null if none is planned. */
export function plannedAttempt(row: JudgedRow & Pick<DeliveryLog, 'next_attempt_at'>): string | null {
  const standing = judgeDelivery(row)
  return standing === 'due' || standing === 'retry' ? row.next_attempt_at : null
}
