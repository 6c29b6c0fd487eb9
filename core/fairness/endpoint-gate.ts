import { LRUCache } from 'lru-cache'
import { GATE } from './limits.ts'

/** `strained`: the endpoint did not answer, or asked for less (429, 503); it gets half as much at a time. */
export type Strain = 'none' | 'strained'

interface Endpoint {
  /** who is inside, and from which queue */
  stays: Map<symbol, string>
  /** when each exchange in flight began, oldest first; our own work before and after it is not the endpoint's fault */
  startedAt: Map<symbol, number>
  lastTookMs: number | undefined
  /** in flight at most, as far as the endpoint has shown that it can */
  limit: number
  /** when that was cut last, if ever; what began before cannot cut it again */
  cutAt: number | undefined
  /** who was turned away and is not back yet, by our count: another process may have let him in */
  outside: number
}

/** Who asks for a place: the queue of his job, and whether he was turned away before. */
export interface Asker {
  queue: string
  isReturning: boolean
}

/** A place at an endpoint; `leave` may be called twice. */
export interface Stay {
  /** runs the exchange with the endpoint, and learns from how long it takes and from the strain it shows */
  exchange: <Result>(work: () => Promise<Result>, judge: (result: Result) => Strain) => Promise<Result>
  /** The same where nothing can be awaited: what it answers is to be called when the exchange has ended. */
  begin: () => (strain: Strain) => void
  leave: () => void
}

/** How many endpoints have something in flight, and how many of these are slow, or get less at a time than they may. */
export interface GateCounts {
  busy: number
  slow: number
  strained: number
}

/** A place, or the milliseconds after which to ask again. */
export type Entry = Stay | { waitMs: number }

/**
 * Keeps a slow endpoint from taking the slots that others need, and an endpoint from getting more than it can take. A quick
 * one may use up to its limit. Each sign of strain halves what one gets at a time, down to one; from then on it grows by one
 * for each round of answers. All slow ones together share half of a queue's slots in equal parts, whoever they belong to; so
 * however many hang, half of first attempts, of retries and of bursts goes on at full speed.
 * @param options.slotsOf exchanges in flight in this process that come from one queue
 * @param options.limit exchanges in flight to one endpoint (WEBHOOK_ENDPOINT_CONCURRENCY)
 * @param options.now a clock in milliseconds that never goes back
 */
export function createEndpointGate(options: {
  slotsOf: (queue: string) => number
  limit: number
  now: () => number
  random: () => number
}): { enter: (endpoint: string, asker: Asker) => Entry; count: () => GateCounts } {
  const { now, random } = options
  // What is in flight must be counted, so only what nobody is inside of may be forgotten.
  const busy = new Map<string, Endpoint>()
  const idle = new LRUCache<string, Endpoint>({ max: GATE.kept })

  const isSlow = (endpoint: Endpoint, at: number): boolean => {
    const [oldest] = endpoint.startedAt.values()
    if (oldest !== undefined && at - oldest > GATE.slowMs) return true
    return endpoint.lastTookMs !== undefined && endpoint.lastTookMs > GATE.slowMs
  }

  const staysFrom = ({ stays }: Endpoint, queue: string): number =>
    [...stays.values()].filter((from) => from === queue).length

  const hasRoom = (endpoint: Endpoint, queue: string, at: number): boolean => {
    if (endpoint.stays.size >= Math.floor(endpoint.limit)) return false
    if (!isSlow(endpoint, at)) return true
    const half = Math.max(1, Math.floor(options.slotsOf(queue) * GATE.shareOfSlow))
    const own = staysFrom(endpoint, queue)
    const others = [...busy.values()]
      .filter((one) => one !== endpoint && isSlow(one, at))
      .map((one) => staysFrom(one, queue))
      .filter((stays) => stays > 0)
    const taken = others.reduce((sum, stays) => sum + stays, own)
    return taken < half && own < Math.max(1, Math.floor(half / (others.length + 1)))
  }

  const waitFor = (endpoint: Endpoint, at: number): number => {
    const round = endpoint.lastTookMs ?? GATE.leastWaitMs
    const drained = (endpoint.outside / Math.floor(endpoint.limit)) * round
    const least = isSlow(endpoint, at) ? GATE.slowWaitMs : GATE.leastWaitMs
    return Math.min(GATE.longestWaitMs, Math.max(least, drained)) * (0.5 + random())
  }

  const learn = (endpoint: Endpoint, startedAt: number, strain: Strain): void => {
    endpoint.lastTookMs = now() - startedAt
    if (strain === 'none') {
      const growth = endpoint.cutAt === undefined ? options.limit : 1 / endpoint.limit
      endpoint.limit = Math.min(options.limit, endpoint.limit + growth)
    } else if (endpoint.cutAt === undefined || startedAt >= endpoint.cutAt) {
      endpoint.limit = Math.max(1, endpoint.limit / 2)
      endpoint.cutAt = now()
    }
  }

  return {
    count: () => {
      const at = now()
      const endpoints = [...busy.values()]
      return {
        busy: endpoints.length,
        slow: endpoints.filter((endpoint) => isSlow(endpoint, at)).length,
        strained: endpoints.filter(({ cutAt, limit }) => cutAt !== undefined && limit < options.limit).length,
      }
    },
    enter: (id, { queue, isReturning }) => {
      const at = now()
      const endpoint = busy.get(id) ?? idle.get(id) ?? newEndpoint(options.limit)
      if (!hasRoom(endpoint, queue, at)) {
        if (!isReturning) endpoint.outside += 1
        return { waitMs: waitFor(endpoint, at) }
      }
      const stay = Symbol(id)
      endpoint.stays.set(stay, queue)
      // Whoever it is that was let in: with none outside, it ends at none.
      endpoint.outside = Math.max(0, endpoint.outside - 1)
      busy.set(id, endpoint)
      idle.delete(id)
      const begin = () => {
        const startedAt = now()
        endpoint.startedAt.set(stay, startedAt)
        return (strain: Strain): void => {
          endpoint.startedAt.delete(stay)
          learn(endpoint, startedAt, strain)
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
          if (!endpoint.stays.delete(stay) || endpoint.stays.size > 0) return
          busy.delete(id)
          idle.set(id, endpoint)
        },
      }
    },
  }
}

function newEndpoint(limit: number): Endpoint {
  return {
    stays: new Map(),
    startedAt: new Map(),
    lastTookMs: undefined,
    limit: Math.min(GATE.unproven, limit),
    cutAt: undefined,
    outside: 0,
  }
}
