import { LRUCache } from 'lru-cache'
import { GIVE_WAY } from './limits.ts'

/**
 * How many deliveries that give way (retries, the excess of a burst) may begin in a second, so that first attempts do not wait
 * for processor and database. It looks at what first attempts wait for beside their endpoint: while that is more than tolerable
 * the number is halved, while it is less it grows by a tenth; with nobody to give way to it doubles. Beginnings are
 * counted, not what is in flight: waiting for an endpoint costs nobody anything. Nobody gives way to himself: what a client waits
 * for who has much under way says nothing about others.
 * @param options.most beginnings in a second from which on nothing is held back
 * @param options.least in a second, whoever needs room
 * @param options.now a clock in milliseconds that never goes back
 */
export function createGiveWay(options: { most: number; least: number; now: () => number }): {
  /** A client's first attempt was made; `ms` is how long it took apart from the exchange with its endpoint. */
  noteFirst: (client: string, ms: number) => void
  /** To be asked a few times a second. */
  decide: () => number
  /** How many more may begin now; `spend` says how many did. */
  allowance: () => number
  spend: (begun: number) => void
  /** Of a client with much under way, or a burst, something began that gives way. */
  noteMuch: (client: string) => void
  /** So many workers let deliveries begin beside each other, this one among them. */
  among: (workers: number) => void
} {
  const { most, now } = options
  const much = new LRUCache<string, true>({
    max: GIVE_WAY.kept,
    ttl: GIVE_WAY.quietMs,
    ttlResolution: 0,
    perf: { now },
  })
  let least = options.least
  let left = 0
  let filledAt = now()
  let waits: number[] = []
  let seenAt = -Infinity
  let allowed = most
  let best = Infinity
  return {
    noteFirst: (client, ms) => {
      if (much.has(client)) return
      waits.push(ms)
      seenAt = now()
    },
    decide: () => {
      if (now() - seenAt > GIVE_WAY.quietMs) {
        // Too few to judge by, and nobody is about any more whom they could speak for.
        waits = []
        allowed = Math.min(most, allowed * 2)
      }
      if (waits.length < GIVE_WAY.fewestSamples) return allowed
      const sorted = waits.toSorted((a, b) => a - b)
      waits = []
      best = Math.min(best * GIVE_WAY.forgetting, sorted[Math.floor(sorted.length / 2)] ?? Infinity)
      const worst = sorted[Math.floor(sorted.length * 0.9)] ?? 0
      const isTooMuch = worst > Math.max(GIVE_WAY.tolerableMs, best * GIVE_WAY.timesTheBest)
      allowed = isTooMuch
        ? Math.max(least, allowed * GIVE_WAY.shrink)
        : Math.min(most, allowed * GIVE_WAY.grow)
      return allowed
    },
    allowance: () => {
      left = Math.min(GIVE_WAY.atOnce, left + ((now() - filledAt) * allowed) / 1000)
      filledAt = now()
      return allowed >= most ? Infinity : Math.max(0, Math.floor(left))
    },
    spend: (begun) => {
      left -= begun
    },
    noteMuch: (client) => {
      much.set(client, true)
    },
    among: (workers) => {
      least = options.least / Math.max(1, workers)
    },
  }
}
