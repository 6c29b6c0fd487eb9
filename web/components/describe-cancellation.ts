import type { DeliveryLog } from '#core/contract/webhooks/delivery.ts'

/** Names who stopped a delivery, from the reader's point of view; null if no person did. */
export function nameCanceller({ cancelled_by }: Pick<DeliveryLog, 'cancelled_by'>) {
  if (cancelled_by === 'client') return 'by you'
  return cancelled_by === 'administrator' ? 'by an administrator' : null
}

/** Describes a cancelled row; other rows show the error of their attempt. */
export function describeCancellation(log: Pick<DeliveryLog, 'cancelled_by' | 'attempt_number'>) {
  const by = nameCanceller(log)
  const before =
    log.attempt_number === 1 ? 'before it was sent' : `before attempt ${log.attempt_number} was made`
  return `Cancelled ${by === null ? '' : `${by} `}${before}.`
}
