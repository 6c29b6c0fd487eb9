import { LRUCache } from 'lru-cache'
import {
  admitToEndpoint,
  judgeShare,
  limitAtFirst,
  type InFlight,
  type SpeedClass,
} from '#core/fairness/judge-room.ts'
import { SHARE } from '#core/fairness/limits.ts'
import { createActivityWatch } from '#core/fairness/watch-activity.ts'
import {
  countInFlight,
  learnFrom,
  leaveOne,
  newEndpoint,
  NOTHING,
  oldestIn,
  speedAt,
  takeOne,
  type InFlightCounts,
  type PoolEndpoint,
  type Strain,
} from './pool-endpoint.ts'

/** One slot, for one exchange. `leave` may be called twice. */
export interface Slot {
  /** runs the exchange with the endpoint, and learns from its duration and from signs of strain */
  exchange: <Result>(work: () => Promise<Result>, judge: (result: Result) => Strain) => Promise<Result>
  /**
   * Begins an exchange like `exchange`, for callers that cannot await. The returned function is called when the
   * exchange has ended.
   */
  begin: () => (strain: Strain) => void
  leave: () => void
}

/** Number of endpoints with something in flight, and how many of these are slow, or have a lowered limit. */
export interface SlotCounts {
  busy: number
  new: number
  slow: number
  strained: number
}

export interface SlotPool {
  /** @returns undefined if the client or the endpoint is at its slot limit: ask again when a delivery has ended */
  enter: (endpoint: string, client: string) => Slot | undefined
  /**
   * Takes over what another process, or an earlier process here, has learned about an endpoint that is unknown or new
   * here.
   */
  recall: (endpoint: string, speed: SpeedClass) => void
  /** if false, read the endpoint's speed class from Redis and pass it to `recall` */
  isKnown: (endpoint: string) => boolean
  /** whether it has answered in good time */
  isProved: (endpoint: string) => boolean
  /** whether no slot is free for anybody */
  isFull: () => boolean
  /** Number of workers that send, this one included. They share the limit of each endpoint. */
  setWorkerCount: (workers: number) => void
  /** Whether no other worker sends beside this one. */
  isOnlyWorker: () => boolean
  /** From now on, sends only to endpoints that are known to answer soon. */
  keepToProved: () => void
  /** Milliseconds since the oldest exchange in flight began; 0 if there is none. */
  longestMs: () => number
  count: () => SlotCounts
}

/**
 * Shares a worker's slots between clients, and a client's slots between its endpoints, by the rule in judge-room.ts.
 * Each endpoint has a limit: a sign of strain halves it, down to one, and from then on it grows by one for each round
 * of answers.
 * @param options.slots exchanges in flight in this process (WEBHOOK_CONCURRENCY)
 * @param options.limit exchanges in flight to one endpoint (WEBHOOK_ENDPOINT_CONCURRENCY)
 * @param options.now a clock in milliseconds that never goes back
 * @param options.onLearned called with the endpoint's speed class after each exchange, once it is known
 */
export function createSlotPool(options: {
  slots: number
  limit: number
  now: () => number
  onLearned?: (endpoint: string, speed: SpeedClass) => void
}): SlotPool {
  const { now, slots } = options
  // Exchanges in flight must be counted, so only idle endpoints may be forgotten.
  const busy = new Map<string, PoolEndpoint>()
  const idle = new LRUCache<string, PoolEndpoint>({ max: SHARE.kept })
  let workers = 1
  let keepsToProved = false
  /** slots that are taken */
  let inside = 0
  const askers = createActivityWatch(SHARE.activeMs, now)

  /** undefined after a change: an exchange began or ended, or a speed class was learned */
  let counted: InFlightCounts | undefined

  /**
   * Counts again only after a change, or when an endpoint has become slow, because callers ask thousands of times in
   * between.
   */
  function tally(client: string, at: number): { all: InFlight; own: InFlight } {
    if (counted === undefined || at > counted.until) counted = countInFlight(busy.values(), at)
    return { all: counted.all, own: counted.own.get(client) ?? NOTHING }
  }

  function openSlot(id: string, endpoint: PoolEndpoint, client: string): Slot {
    const slot = Symbol(id)
    counted = undefined
    inside += 1
    endpoint.slots.add(slot)
    takeOne(endpoint.ofClient, client)
    busy.set(id, endpoint)
    idle.delete(id)

    function begin(): (strain: Strain) => void {
      const startedAt = now()
      counted = undefined
      endpoint.startedAt.set(slot, startedAt)
      return (strain) => {
        counted = undefined
        endpoint.startedAt.delete(slot)
        if (strain === 'unasked') return
        learnFrom(endpoint, { startedAt, endedAt: now() }, strain, options.limit)
        if (endpoint.speed !== 'new') options.onLearned?.(id, endpoint.speed)
      }
    }

    async function exchange<Result>(
      work: () => Promise<Result>,
      judge: (result: Result) => Strain,
    ): Promise<Result> {
      const end = begin()
      let strain: Strain = 'strained'
      try {
        const result = await work()
        strain = judge(result)
        return result
      } finally {
        end(strain)
      }
    }

    function leave(): void {
      if (!endpoint.slots.delete(slot)) return
      counted = undefined
      inside -= 1
      leaveOne(endpoint.ofClient, client)
      if (endpoint.slots.size === 0) {
        busy.delete(id)
        idle.set(id, endpoint)
      }
    }

    return { begin, exchange, leave }
  }

  const find = (id: string): PoolEndpoint | undefined => busy.get(id) ?? idle.get(id)
  const isFull = (): boolean => inside >= slots

  return {
    // While only proved endpoints are served, Redis is asked again about a new one: another worker may have seen it
    // answer.
    isKnown: (id) => {
      const endpoint = find(id)
      return endpoint !== undefined && !(keepsToProved && endpoint.speed === 'new')
    },
    isProved: (id) => {
      const endpoint = find(id)
      return endpoint !== undefined && speedAt(endpoint, now()) === 'proved'
    },
    isFull,
    setWorkerCount: (count) => {
      workers = Math.max(1, count)
    },
    recall: (id, speed) => {
      const known = find(id)
      if (known === undefined) idle.set(id, newEndpoint(speed, options.limit))
      else if (known.speed === 'new' && speed !== 'new' && !busy.has(id)) {
        known.speed = speed
        // A strained endpoint keeps its lowered limit.
        if (known.cutAt === undefined) known.limit = limitAtFirst(speed, options.limit)
      }
    },
    isOnlyWorker: () => workers === 1,
    keepToProved: () => {
      keepsToProved = true
    },
    longestMs: () => {
      const at = now()
      const oldest = [...busy.values()].map((endpoint) => oldestIn(endpoint) ?? at)
      return at - Math.min(at, ...oldest)
    },
    count: () => {
      const at = now()
      const endpoints = [...busy.values()]
      const countOf = (speed: SpeedClass): number =>
        endpoints.filter((endpoint) => speedAt(endpoint, at) === speed).length
      return {
        busy: endpoints.length,
        new: countOf('new'),
        slow: countOf('slow'),
        strained: endpoints.filter(({ cutAt, limit }) => cutAt !== undefined && limit < options.limit).length,
      }
    },
    enter: (id, client) => {
      const at = now()
      const endpoint = find(id) ?? newEndpoint('new', options.limit)
      askers.note(client)
      const isAlone = !askers.othersActive(client)
      // This check is cheap, and callers may ask in vain thousands of times a second.
      if (isFull()) return undefined
      const speed = speedAt(endpoint, at)
      if (keepsToProved && speed !== 'proved') return undefined
      const here = { here: endpoint.slots.size, limit: endpoint.limit, workers }
      if (admitToEndpoint(speed, here) !== undefined) return undefined
      if (judgeShare(speed, { ...tally(client, at), isAlone }, { slots, workers }) !== undefined)
        return undefined
      return openSlot(id, endpoint, client)
    },
  }
}
