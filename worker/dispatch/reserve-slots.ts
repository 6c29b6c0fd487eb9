import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { ClaimedDelivery } from '#core/data/webhooks/deliveries/claim-deliveries.ts'
import type { ReservedSlots } from '#core/data/webhooks/deliveries/plan-plain.ts'
import type { Allotment } from './waiting-clients.ts'
import { BEGIN_WITHIN_MS } from './measure-lease.ts'

/** Milliseconds between two tries to find what a statement leased, if its answer was lost. */
const FIND_EVERY_MS = 250
/**
 * Milliseconds for which that statement may still run once PostgreSQL answers again: a statement outlives its
 * connection.
 */
const STILL_RUNNING_MS = 3000

/** Slots for deliveries that are about to be planned, held until it is known which of them were claimed. */
export interface Reservation {
  /** for the one statement that claims with them */
  slots: readonly ReservedSlots[]
  /** Sends the claimed deliveries, and frees the other slots. A second call does nothing. */
  begin: (claimed: readonly ClaimedDelivery[]) => void
  /**
   * Called if the statement's answer was lost. It finds what the statement leased for these events, and sends that.
   * Until then the slots stay held.
   */
  recover: (events: readonly string[]) => Promise<void>
}

/**
 * @param allotments the slots
 * @param parts.find reads the deliveries that were leased for these events with these tokens, and renews the leases
 * @param parts.start sends an allotment's deliveries and frees its other slots; `startedAt` is when the claim began
 * @param parts.now a clock in milliseconds that never goes back
 */
export function holdReservation(
  allotments: readonly Allotment[],
  parts: {
    find: (events: readonly string[], tokens: readonly string[]) => Promise<ClaimedDelivery[]>
    start: (allotment: Allotment, deliveries: readonly ClaimedDelivery[], startedAt: number) => void
    now: () => number
  },
): Reservation {
  const { find, start, now } = parts
  const slots = allotments.map(({ endpoint, slots }) => ({
    webhook_config_id: endpoint,
    lease_tokens: slots.map(() => randomUUID()),
  }))
  const tokens = slots.flatMap(({ lease_tokens: its }) => its)
  let startedAt = now()
  let isOver = false

  function begin(claimed: readonly ClaimedDelivery[]): void {
    if (isOver) return
    isOver = true
    const byEndpoint = Map.groupBy(claimed, (delivery) => delivery.webhook_config_id)
    for (const allotment of allotments) start(allotment, byEndpoint.get(allotment.endpoint) ?? [], startedAt)
  }

  async function recover(events: readonly string[]): Promise<void> {
    const lostAt = now()
    let answeredAt = Infinity
    while (!isOver && tokens.length > 0) {
      const askedAt = now()
      if (askedAt - lostAt >= BEGIN_WITHIN_MS || askedAt - answeredAt >= STILL_RUNNING_MS) break
      startedAt = askedAt
      try {
        const found = await find(events, tokens)
        answeredAt = Math.min(answeredAt, now())
        if (found.length > 0) begin(found)
      } catch {
        // PostgreSQL is still away. After the last try the leases end by themselves.
      }
      if (!isOver) await sleep(FIND_EVERY_MS)
    }
    begin([])
  }

  return { slots, begin, recover }
}
