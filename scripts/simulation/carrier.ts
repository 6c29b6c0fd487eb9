import type { Behaviour, Delivery, Store } from './store.ts'
import type { Machine, World } from './world.ts'

/** What every way of carrying deliveries has to work with. */
export interface Stage {
  world: World
  machine: Machine
  store: Store
  behaviourOf: (endpoint: string) => Behaviour
  /** exchanges in flight in one process */
  slots: number
  /** exchanges in flight to one endpoint, in one process */
  endpointLimit: number
}

/** One way of carrying deliveries from the plan to their endpoints, on one or several workers. */
export interface Carrier {
  /** the deliveries of one lead, right after they were planned */
  plan: (deliveries: readonly Delivery[]) => void
  /** ends a worker without a word; it comes back after `downMs` with nothing of what it knew in its process */
  kill: (worker: number, downMs: number) => void
}

/**
 * Processor time in milliseconds, of all programs together, as measured on two cores (docs/measurements/what-was-learned.md):
 * a statement costs more than its rows, so what is gathered is cheap.
 */
export const COSTS = {
  /** a job is added, taken and finished in Redis */
  job: 0.11,
  /** a job is sent away until later */
  bounce: 0.1,
  claimStatement: 0.49,
  claimRow: 0.03,
  send: 0.35,
  recordStatement: 0.6,
  recordRow: 0.07,
} as const

/** How long a delivery's lease lasts, and BullMQ takes to find the jobs of a killed worker. */
export const LEASE_MS = 20_000
export const STALL_MS = 20_000
export const TIMEOUT_MS = 10_000

/** Whoever finds no room comes back after twice as long each time. */
export function pauseAfter(tries: number, world: World): number {
  return Math.min(10_000, 100 * 2 ** tries) * (0.5 + world.random())
}

/** Gathers what comes while a flush is under way, and pays for a statement once for all of it. */
export function createGathering<Item>(
  flush: (items: Item[], done: () => void) => void,
  maxSize: number,
): (item: Item) => void {
  let waiting: Item[] = []
  let isFlushing = false
  function next(): void {
    if (isFlushing || waiting.length === 0) return
    isFlushing = true
    const batch = waiting.slice(0, maxSize)
    waiting = waiting.slice(maxSize)
    flush(batch, () => {
      isFlushing = false
      next()
    })
  }
  return (item) => {
    waiting.push(item)
    next()
  }
}

/** Sends a claimed delivery and records its result, unless `isAlive` turns false meanwhile. */
export function createSender(
  { world, machine, store, behaviourOf }: Stage,
  isAlive: () => boolean,
): (
  delivery: Delivery,
  hooks: { begin: () => void; end: (answered: boolean) => void; recorded: () => void },
) => void {
  const record = createGathering<{
    delivery: Delivery
    result: 'accepted' | 'refused' | 'silent'
    recorded: () => void
  }>((items, done) => {
    machine.bill('record', COSTS.recordStatement + items.length * COSTS.recordRow, () => {
      if (isAlive()) {
        for (const { delivery, result, recorded } of items) {
          store.record(delivery, result)
          recorded()
        }
      }
      done()
    })
  }, 100)
  return (delivery, { begin, end, recorded }) => {
    machine.bill('send', COSTS.send, () => {
      if (!isAlive()) return
      begin()
      const { tookMs, result } = behaviourOf(delivery.endpoint)(world)
      const isLate = tookMs >= TIMEOUT_MS
      world.at(Math.min(tookMs, TIMEOUT_MS), () => {
        if (!isAlive()) return
        end(!isLate && result !== 'silent')
        record({ delivery, result: isLate ? 'silent' : result, recorded })
      })
    })
  }
}
