import type { SendingHours } from '#core/contract/webhooks/sending-hours.ts'
import { findSendingTime, isOpening } from './find-sending-time.ts'

/**
 * The new due time of a delivery after its configuration's hours have changed. A delivery that waited for the earlier
 * hours becomes due as soon as the new ones allow it; a retry keeps its time if they are open then.
 */
export function retimeDelivery(
  planned: Date,
  { before, after, now }: { before: SendingHours | null; after: SendingHours | null; now: Date },
): Date {
  // Saving them unchanged moves nothing.
  if (JSON.stringify(before) === JSON.stringify(after)) return planned
  // Its calling hours are looked up when it is due.
  return findSendingTime(after, null, isOpening(before, planned) ? now : planned)
}
