import { LRUCache } from 'lru-cache'

const KEPT = 10_000

/** Which trace a delivery continues, as its wake-up said. Kept in this process alone: a trace that breaks off harms nobody. */
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
