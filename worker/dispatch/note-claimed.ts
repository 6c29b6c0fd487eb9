import type { ClaimedDelivery } from '#core/data/webhooks/deliveries/claim-deliveries.ts'
import { uuidMs } from '#core/domain/uuid-at.ts'
import type { LowPriorityLimiter } from './limit-low-priority.ts'
import { LOW_PRIORITY } from '#core/fairness/limits.ts'
import type { Slot } from './slot-pool.ts'
import type { Allotment } from './waiting-clients.ts'

/** A delivery that was claimed, with its slot. */
export interface ClaimedWithSlot {
  delivery: ClaimedDelivery
  slot: Slot
  /**
   * To be called once the attempt is recorded. `exchangeMs` is the length of its exchange, undefined if there was none.
   */
  noteEnd: (exchangeMs: number | undefined) => void
}

/**
 * Tells the limiter (limit-low-priority.ts) which claimed deliveries have low priority, and how long first attempts
 * waited for this worker.
 * @param now a clock in milliseconds that never goes back
 * @returns a function to be called with the deliveries that were claimed for an allotment, and when that claim began
 */
export function createNoteClaimed(
  lowPriority: Pick<LowPriorityLimiter, 'spend' | 'noteAboveShare' | 'noteActive' | 'noteFirstAttempt'>,
  now: () => number,
): (allotment: Allotment, deliveries: readonly ClaimedDelivery[], claimedAt: number) => ClaimedWithSlot[] {
  return function noteClaimed(allotment, deliveries, claimedAt) {
    const lowPriorityOnes = new Set(
      deliveries.filter((delivery, place) => isLowPriority(delivery, place, allotment)),
    )
    lowPriority.spend(lowPriorityOnes.size)
    if (deliveries.some((delivery, place) => isAboveShare(delivery, place, allotment)))
      lowPriority.noteAboveShare(allotment.client)
    if (lowPriorityOnes.size < deliveries.length) lowPriority.noteActive(allotment.client)
    return allotment.slots.flatMap((slot, place): ClaimedWithSlot[] => {
      const delivery = deliveries[place]
      if (delivery === undefined) return []
      let leftAt: number | undefined
      const leave = (): void => {
        leftAt ??= now()
        slot.leave()
      }
      const noteEnd = (exchangeMs: number | undefined): void => {
        if (exchangeMs === undefined || lowPriorityOnes.has(delivery)) return
        // The time until its slot was free. Recording comes after that and delays no lead.
        lowPriority.noteFirstAttempt(
          allotment.client,
          plannedAfterMs(delivery) + (leftAt ?? now()) - claimedAt - plannedInClaimMs(delivery) - exchangeMs,
        )
      }
      return [{ delivery, slot: { ...slot, leave }, noteEnd }]
    })
  }
}

/** A retry, a delivery beyond a burst's token bucket (core/fairness/priorities.ts), or one of a client above its share. */
function isLowPriority(delivery: ClaimedDelivery, place: number, allotment: Allotment): boolean {
  return isAboveShare(delivery, place, allotment) || (!delivery.is_probe && delivery.attempt > 1)
}

function isAboveShare(
  { is_probe: isProbe, turn }: ClaimedDelivery,
  place: number,
  allotment: Allotment,
): boolean {
  return place >= allotment.withinShare || (!isProbe && turn > 0)
}

/**
 * Milliseconds for which its event waited to be planned, by the database's clock. The time from plan to claim is left
 * out, because the delivery may have waited for its own endpoint. A very long wait does not count: a service was away,
 * or the delivery was held.
 */
function plannedAfterMs(delivery: ClaimedDelivery): number {
  const plannedAt = uuidMs(delivery.delivery_id)
  const waitedMs = plannedAt - uuidMs(delivery.event_id)
  const isOfNow = delivery.claimed_at.getTime() - plannedAt < LOW_PRIORITY.longAgoMs
  const tells = isOfNow && !delivery.is_resend && !delivery.is_probe && waitedMs < LOW_PRIORITY.longAgoMs
  return tells ? Math.max(0, waitedMs) : 0
}

/**
 * Milliseconds from the beginning of the claim to the row's creation, for a row that one statement planned and claimed.
 * This time counts once.
 */
function plannedInClaimMs({ delivery_id: id, claimed_at: claimedAt }: ClaimedDelivery): number {
  return Math.max(0, uuidMs(id) - claimedAt.getTime())
}
