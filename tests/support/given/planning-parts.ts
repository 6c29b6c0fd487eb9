import { createFanOut } from '#core/fairness/fan-out.ts'
import type { createPlanning } from '#worker/pipeline/1-plan-deliveries.ts'
import { createTraces } from '#worker/dispatch/keep-traces.ts'
import { holdReservation } from '#worker/dispatch/reserve-slots.ts'

type Parts = Parameters<typeof createPlanning>[1]

/** The parts of planning for a test in which nobody sends: no slot is reserved, nobody is told, and nobody has to give way. */
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
    // Its measure does not fill meanwhile.
    fanOut: createFanOut(() => 0),
    ...own,
  }
}
