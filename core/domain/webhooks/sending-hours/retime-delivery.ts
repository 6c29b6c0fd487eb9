import type { SendingHours } from '#core/contract/webhooks/sending-hours.ts'
import { findSendingTime, isOpening } from './find-sending-time.ts'

/**
 * When a delivery is due once the hours of its configuration have changed. What waited for the hours of before goes as soon as the new
 * ones let it; a retry keeps its time where they are open then.
 */
export function retimeDelivery(
  planned: Date,
  { before, after, now }: { before: SendingHours | null; after: SendingHours | null; now: Date },
): Date {
  // A save that leaves them as they are moves nothing.
  if (JSON.stringify(before) === JSON.stringify(after)) return planned
  return findSendingTime(after, isOpening(before, planned) ? now : planned)
}
