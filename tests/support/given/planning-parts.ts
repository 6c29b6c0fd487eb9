import { createFanOut } from '#core/fairness/fan-out.ts'
import type { createPlanning } from '#worker/pipeline/1-plan-deliveries.ts'
import { createTraces } from '#worker/dispatch/keep-traces.ts'
import { holdReservation } from '#worker/dispatch/reserve-slots.ts'

type Parts = Parameters<typeof createPlanning>[1]

/**
 * Parts for planning without a sender: no slot is reserved, no wake-up is sent, and nothing runs at low
 * priority.
 */
export function planningParts(own: Partial<Parts> = {}): Parts {
  const now = (): number => performance.now()
  return {
    announceDue: () => Promise.resolve(),
    dispatcher: {
      leaseSeconds: 20,
      reserve: () => holdReservation([], { find: () => Promise.resolve([]), start: () => undefined, now }),
    },
    traces: createTraces(),
    lowPriority: { noteAboveShare: () => undefined, restMs: () => 0 },
    // Its token bucket does not refill.
    fanOut: createFanOut(() => 0),
    ...own,
  }
}
