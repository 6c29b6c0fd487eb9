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

/**
 * `strained`: the endpoint did not answer, or asked for less (429, 503); it gets half as many requests at a time.
 * `unasked`: nothing was sent to it, and nothing is learned.
 */
export type Strain = 'none' | 'strained' | 'unasked'

/** One slot, for one exchange. `leave` may be called twice. */
export interface Slot {
  /** runs the exchange with the endpoint, and learns from its duration and from signs of strain */
  exchange: <Result>(work: () => Promise<Result>, judge: (result: Result) => Strain) => Promise<Result>
  /**
   * The same for callers that cannot await: the function that it returns is to be called when the exchange has ended.
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
  /** false: read the endpoint's speed class from Redis and pass it to `recall` */
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

interface Endpoint {
  /** slots taken at this endpoint */
  slots: Set<symbol>
  /** number of them for each client */
  ofClient: Map<string, number>
  /**
   * when each exchange in flight began, oldest first; our own work before and after an exchange does not count against
   * the endpoint
   */
  startedAt: Map<symbol, number>
  speed: SpeedClass
  /** limit of exchanges in flight, as far as the endpoint has shown that it can take them */
  limit: number
  /** when that limit was last cut; an exchange that began before cannot cut it again */
  cutAt: number | undefined
}

/**
 * Shares a worker's slots between clients, and a client's slots between its endpoints, by the rule in judge-room.ts.
 * Each endpoint has a limit: a sign of strain halves it, down to one, and from then on it grows by one for each round
 * of answers.
 * @param options.slots exchanges in flight in this process (WEBHOOK_CONCURRENCY)
 * @param options.limit exchanges in flight to one endpoint (WEBHOOK_ENDPOINT_CONCURRENCY)
 * @param options.now a clock in milliseconds that never goes back
 * @param options.onLearned told the endpoint's speed class after each exchange, once that is known
 */
export function createSlotPool(options: {
  slots: number
  limit: number
  now: () => number
  onLearned?: (endpoint: string, speed: SpeedClass) => void
}): SlotPool {
  const { now, slots } = options
  // Exchanges in flight must be counted, so only idle endpoints may be forgotten.
  const busy = new Map<string, Endpoint>()
  const idle = new LRUCache<string, Endpoint>({ max: SHARE.kept })
  let workers = 1
  let keepsToProved = false
  /** slots that are taken */
  let inside = 0
  const askers = createActivityWatch(SHARE.activeMs, now)

  const patienceWith = ({ speed }: Endpoint): number => (speed === 'new' ? SHARE.doubtMs : SHARE.slowMs)
  const oldestIn = ({ startedAt }: Endpoint): number | undefined => startedAt.values().next().value

  const speedAt = (endpoint: Endpoint, at: number): SpeedClass => {
    const oldest = oldestIn(endpoint)
    return oldest !== undefined && at - oldest > patienceWith(endpoint) ? 'slow' : endpoint.speed
  }

  /**
   * Counts of exchanges in flight, in total and for each client; undefined once one has begun or ended, or an
   * endpoint's speed class was learned.
   */
  let counted: { all: InFlight; own: ReadonlyMap<string, InFlight>; until: number } | undefined

  /**
   * Counted again only after a change, or when an endpoint has become slow: callers ask thousands of times in between,
   * mostly in vain.
   */
  function tally(client: string, at: number): { all: InFlight; own: InFlight } {
    if (counted === undefined || at > counted.until) counted = countAll(at)
    return { all: counted.all, own: counted.own.get(client) ?? NOTHING }
  }

  function countAll(at: number): NonNullable<typeof counted> {
    const all = { ...NOTHING }
    const own = new Map<string, Record<SpeedClass, number>>()
    let until = Infinity
    for (const endpoint of busy.values()) {
      const speed = speedAt(endpoint, at)
      const slowFrom = (oldestIn(endpoint) ?? Infinity) + patienceWith(endpoint)
      if (slowFrom >= at) until = Math.min(until, slowFrom)
      all[speed] += endpoint.slots.size
      for (const [client, slots] of endpoint.ofClient) {
        const its = own.get(client) ?? { ...NOTHING }
        its[speed] += slots
        own.set(client, its)
      }
    }
    return { all, own, until }
  }

  const learn = (id: string, endpoint: Endpoint, startedAt: number, strain: Strain): void => {
    counted = undefined
    if (strain === 'unasked') return
    const before = endpoint.speed
    if (now() - startedAt > SHARE.slowMs) endpoint.speed = 'slow'
    else if (strain === 'none' || before === 'slow') endpoint.speed = 'proved'
    if (strain === 'none') {
      const growth = endpoint.cutAt === undefined ? options.limit : 1 / endpoint.limit
      endpoint.limit = Math.min(options.limit, endpoint.limit + growth)
    } else if (endpoint.cutAt === undefined || startedAt >= endpoint.cutAt) {
      endpoint.limit = Math.max(1, endpoint.limit / 2)
      endpoint.cutAt = now()
    }
    if (endpoint.speed !== 'new') options.onLearned?.(id, endpoint.speed)
  }

  const letIn = (id: string, endpoint: Endpoint, client: string): symbol => {
    const slot = Symbol(id)
    counted = undefined
    inside += 1
    endpoint.slots.add(slot)
    endpoint.ofClient.set(client, (endpoint.ofClient.get(client) ?? 0) + 1)
    busy.set(id, endpoint)
    idle.delete(id)
    return slot
  }

  const find = (id: string): Endpoint | undefined => busy.get(id) ?? idle.get(id)
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
      const oldest = [...busy.values()].map(({ startedAt }) => startedAt.values().next().value ?? at)
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
      // Callers may ask in vain thousands of times a second.
      if (isFull()) return undefined
      const speed = speedAt(endpoint, at)
      if (keepsToProved && speed !== 'proved') return undefined
      const here = { here: endpoint.slots.size, limit: endpoint.limit, workers }
      if (admitToEndpoint(speed, here) !== undefined) return undefined
      if (judgeShare(speed, { ...tally(client, at), isAlone }, { slots, workers }) !== undefined)
        return undefined
      const slot = letIn(id, endpoint, client)
      const begin = () => {
        const startedAt = now()
        counted = undefined
        endpoint.startedAt.set(slot, startedAt)
        return (strain: Strain): void => {
          endpoint.startedAt.delete(slot)
          learn(id, endpoint, startedAt, strain)
        }
      }
      return {
        begin,
        exchange: async (work, judge) => {
          const end = begin()
          let strain: Strain = 'strained'
          try {
            const result = await work()
            strain = judge(result)
            return result
          } finally {
            end(strain)
          }
        },
        leave: () => {
          if (!endpoint.slots.delete(slot)) return
          counted = undefined
          inside -= 1
          leaveOne(endpoint.ofClient, client)
          if (endpoint.slots.size === 0) {
            busy.delete(id)
            idle.set(id, endpoint)
          }
        },
      }
    },
  }
}

const NOTHING: InFlight = { new: 0, proved: 0, slow: 0 }

function newEndpoint(speed: SpeedClass, limit: number): Endpoint {
  return {
    slots: new Set(),
    ofClient: new Map(),
    startedAt: new Map(),
    speed,
    limit: limitAtFirst(speed, limit),
    cutAt: undefined,
  }
}

function leaveOne(ofClient: Map<string, number>, client: string): void {
  const left = (ofClient.get(client) ?? 0) - 1
  if (left > 0) ofClient.set(client, left)
  else ofClient.delete(client)
}
