import type { DeliveryLog, DeliveryLogDetail, ErrorClass } from '#core/contract/webhooks/delivery.ts'

/**
 * Errors that end an attempt before anything is sent. A timeout is not among them, because most happen while
 * waiting for the answer.
 */
const NOTHING_LEFT: ReadonlySet<ErrorClass> = new Set<ErrorClass>([
  'dns',
  'connect',
  'tls',
  'blocked_address',
  'invalid_request',
  'authentication',
  'internal_error',
  'mail_server',
])

/**
 * True if some of the attempt's request was sent to its endpoint, answered or not. The remote address decides
 * if it is known: only a request that began on a connection has one.
 */
export function wasSent(
  attempt: Pick<DeliveryLog, 'response_status' | 'error_class'> &
    Partial<Pick<DeliveryLogDetail, 'remote_address'>>,
): boolean {
  const { response_status, error_class, remote_address } = attempt
  // The sender's process ended during the exchange, so the request may have arrived.
  if (response_status !== null || error_class === 'sender_crashed') return true
  if (remote_address !== undefined) return remote_address !== null
  return error_class === null || !NOTHING_LEFT.has(error_class)
}
