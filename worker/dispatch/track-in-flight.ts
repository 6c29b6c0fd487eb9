import type { ClaimedDelivery } from '#core/data/webhooks/deliveries/claim-deliveries.ts'
import type { Pulse } from '../queues/queue-workers.ts'
import { BEGIN_WITHIN_MS } from './measure-lease.ts'
import type { createNoteClaimed, ClaimedWithSlot } from './note-claimed.ts'
import type { Slot } from './slot-pool.ts'
import type { Allotment } from './waiting-clients.ts'

/** The outcome of a claimed delivery. */
export interface Sent {
  /** milliseconds until its endpoint has something due again, if it will */
  againMs: number | undefined
  /** how long the exchange took, in milliseconds; undefined where there was none */
  exchangeMs: number | undefined
  /** whether it waits for the sending hours of its configuration */
  isPostponed?: true
}

/**
 * Sends a claimed delivery and records the outcome. It never throws: a delivery that could not be finished becomes due
 * again when the lease ends.
 * @param mayBegin whether an exchange that begins now ends within the lease; true if that cannot be known
 */
export type SendClaimed = (delivery: ClaimedDelivery, slot: Slot, mayBegin?: () => boolean) => Promise<Sent>

/** Deliveries that this worker has claimed, from their claim until their attempt is recorded. */
export interface InFlight {
  /** how many began and how many are under way, for the liveness check */
  pulse: Pulse
  /** Sends an allotment's deliveries, and frees its other slots; `startedAt` is when the claim began. */
  start: (allotment: Allotment, deliveries: readonly ClaimedDelivery[], startedAt: number) => void
  /** Counts something else as in flight until it is over. */
  follow: (work: Promise<void>) => void
  /**
   * Ids that must not be claimed again. After PostgreSQL was away for longer than a lease, their rows look unclaimed.
   */
  ids: () => string[]
  drained: () => Promise<void>
}

/**
 * @param parts.onEnd called when a slot is free again, and again when everything is recorded; its argument is the
 * milliseconds after which something is due again
 * @param parts.now a clock in milliseconds that never goes back
 */
export function trackInFlight(parts: {
  noteClaimed: ReturnType<typeof createNoteClaimed>
  send: SendClaimed
  onEnd: (allotment: Allotment, againMs: number | undefined) => void
  now: () => number
}): InFlight {
  const { noteClaimed, send, onEnd, now } = parts
  const pulse: Pulse = { queue: 'rounds', slots: 1, started: 0, running: 0 }
  const works = new Set<Promise<void>>()
  const open = new Set<string>()

  function follow(work: Promise<void>): void {
    works.add(work)
    void work.finally(() => works.delete(work))
  }

  async function make(
    { delivery, slot, noteEnd }: ClaimedWithSlot,
    allotment: Allotment,
    startedAt: number,
  ): Promise<void> {
    pulse.started += 1
    pulse.running += 1
    open.add(delivery.delivery_id)
    const leave = (): void => {
      slot.leave()
      onEnd(allotment, undefined)
    }
    const mayBegin = (): boolean => now() - startedAt <= BEGIN_WITHIN_MS
    const { againMs, exchangeMs } = await send(delivery, { ...slot, leave }, mayBegin)
    pulse.running -= 1
    open.delete(delivery.delivery_id)
    slot.leave()
    onEnd(allotment, againMs)
    noteEnd(exchangeMs)
  }

  return {
    pulse,
    follow,
    start: (allotment, deliveries, startedAt) => {
      for (const claimed of noteClaimed(allotment, deliveries, startedAt))
        follow(make(claimed, allotment, startedAt))
      for (const slot of allotment.slots.slice(deliveries.length)) slot.leave()
    },
    ids: () => [...open],
    drained: async () => {
      // Work in flight may begin more work, as when a reservation becomes deliveries.
      while (works.size > 0) await Promise.all(works)
    },
  }
}
