import type { DeliveryLog } from '#core/contract/webhooks/delivery.ts'

/** What is live is never more than about a second behind. */
export const LIVE_INTERVAL_MS = 1000
/** For what changes with the logs, but is looked at in passing. */
export const COUNTS_INTERVAL_MS = 10_000
/** For what waits for something that is not about to happen. */
export const IDLE_INTERVAL_MS = 15_000
const SOON_MS = 60_000

/** How soon an attempt on screen may look different; false once its delivery is over. */
export function attemptInterval(
  attempt: Pick<DeliveryLog, 'delivery_state' | 'is_sending' | 'is_sent_again' | 'next_attempt_at'>,
  now: number,
): number | false {
  if (attempt.is_sending) return LIVE_INTERVAL_MS
  if (attempt.delivery_state === 'held') return IDLE_INTERVAL_MS
  if (attempt.delivery_state !== 'pending') return attempt.is_sent_again ? LIVE_INTERVAL_MS : false
  const due = attempt.next_attempt_at === null ? now : Date.parse(attempt.next_attempt_at)
  return due - now < SOON_MS ? LIVE_INTERVAL_MS : IDLE_INTERVAL_MS
}
