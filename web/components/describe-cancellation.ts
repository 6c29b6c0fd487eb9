import type { DeliveryLog } from '#core/contract/webhooks/delivery.ts'

/** Who stopped a delivery, from the reader's side; null where nobody did by hand. */
export function nameCanceller({ cancelled_by }: Pick<DeliveryLog, 'cancelled_by'>) {
  if (cancelled_by === 'client') return 'by you'
  return cancelled_by === 'administrator' ? 'by an administrator' : null
}

/** The sentence of a cancelled row; other rows have the error of their attempt. */
export function describeCancellation(log: Pick<DeliveryLog, 'cancelled_by' | 'attempt_number'>) {
  const by = nameCanceller(log)
  const before =
    log.attempt_number === 1 ? 'before it was sent' : `before attempt ${log.attempt_number} was made`
  return `Cancelled ${by === null ? '' : `${by} `}${before}.`
}
