import { LRUCache } from 'lru-cache'

const KEPT = 10_000

/**
 * The trace that a delivery continues, by its wake-up. Only this process keeps it, because a lost trace does no harm.
 */
export interface Traces {
  keep: (delivery: string, trace: string) => void
  find: (delivery: string) => string | undefined
}

export function createTraces(): Traces {
  const kept = new LRUCache<string, string>({ max: KEPT })
  return {
    keep: (delivery, trace) => {
      kept.set(delivery, trace)
    },
    find: (delivery) => kept.get(delivery),
  }
}
