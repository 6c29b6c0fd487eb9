import type { DeliveryLog, DeliveryLogDetail, ErrorClass } from '#core/contract/webhooks/delivery.ts'

/** How an attempt ends before anything leaves. A time limit may be met before or after; most are met waiting for the answer. */
const NOTHING_LEFT: ReadonlySet<ErrorClass> = new Set<ErrorClass>([
  'dns',
  'connect',
  'tls',
  'blocked_address',
  'invalid_request',
  'authentication',
  'internal_error',
])

/**
 * Whether some of an attempt's request left for its endpoint, answered or not. The address that it went to tells, where it is
 * known: only a request that was begun on a connection has one.
 */
export function wasSent(
  attempt: Pick<DeliveryLog, 'response_status' | 'error_class'> &
    Partial<Pick<DeliveryLogDetail, 'remote_address'>>,
): boolean {
  const { response_status, error_class, remote_address } = attempt
  // Its process ended at some moment of the exchange; it may have arrived.
  if (response_status !== null || error_class === 'sender_crashed') return true
  if (remote_address !== undefined) return remote_address !== null
  return error_class === null || !NOTHING_LEFT.has(error_class)
}
