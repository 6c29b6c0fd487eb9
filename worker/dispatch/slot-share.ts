import { LRUCache } from 'lru-cache'
import {
  judgeEndpoint,
  judgeShare,
  limitAtFirst,
  type InFlight,
  type Standing,
} from '#core/fairness/judge-room.ts'
import { SHARE } from '#core/fairness/limits.ts'
import { createOthersAbout } from '#core/fairness/others-about.ts'

/**
 * `strained`: the endpoint did not answer, or asked for less (429, 503); it gets half as much at a time. `unasked`: nothing was sent
 * to it, and nothing is learned.
 */
export type Strain = 'none' | 'strained' | 'unasked'

/** A slot for one exchange; `leave` may be called twice. */
export interface Stay {
  /** runs the exchange with the endpoint, and learns from how long it takes and from the strain it shows */
  exchange: <Result>(work: () => Promise<Result>, judge: (result: Result) => Strain) => Promise<Result>
  /** The same where nothing can be awaited: what it answers is to be called when the exchange has ended. */
  begin: () => (strain: Strain) => void
  leave: () => void
}

/** How many endpoints have something in flight, and how many of these are slow, or get less at a time than they may. */
export interface ShareCounts {
  busy: number
  new: number
  slow: number
  strained: number
}

export interface SlotShare {
  /** @returns undefined where the client or the endpoint has his share: ask again when something has ended */
  enter: (endpoint: string, client: string) => Stay | undefined
  /** Takes over what another process, or this one before it began anew, has learned of an endpoint that is unknown here. */
  recall: (endpoint: string, standing: Standing) => void
  isKnown: (endpoint: string) => boolean
  /** it has answered, and soon */
  isProved: (endpoint: string) => boolean
  /** no slot is free, whoever asks */
  isFull: () => boolean
  /** So many workers send beside each other, this one among them: what an endpoint may get is for all of them together. */
  among: (workers: number) => void
  /** No other worker sends beside this one. */
  isOnlyWorker: () => boolean
  /** From now on only endpoints that are known to answer soon are sent something. */
  keepToProved: () => void
  /** For how many milliseconds the longest exchange in flight has lasted; 0 with none. */
  longestMs: () => number
  count: () => ShareCounts
}

interface Endpoint {
  /** who is inside */
  stays: Set<symbol>
  /** how many of them make each client's deliveries */
  ofClient: Map<string, number>
  /** when each exchange in flight began, oldest first; our own work before and after it is not the endpoint's fault */
  startedAt: Map<symbol, number>
  standing: Standing
  /** in flight at most, as far as the endpoint has shown that it can */
  limit: number
  /** when that was cut last; what began before cannot cut it again */
  cutAt: number | undefined
}

/**
 * Shares a worker's slots between clients, and a client's between his endpoints, by the rule in judge-room.ts. One endpoint gets
 * what it has shown that it can take: each sign of strain halves that, down to one; from then on it grows by one for each round of
 * answers.
 * @param options.slots exchanges in flight in this process (WEBHOOK_CONCURRENCY)
 * @param options.limit exchanges in flight to one endpoint (WEBHOOK_ENDPOINT_CONCURRENCY)
 * @param options.now a clock in milliseconds that never goes back
 * @param options.onLearned told after each exchange how its endpoint stands, once that is known
 */
export function createSlotShare(options: {
  slots: number
  limit: number
  now: () => number
  onLearned?: (endpoint: string, standing: Standing) => void
}): SlotShare {
  const { now, slots } = options
  // What is in flight must be counted, so only what nobody is inside of may be forgotten.
  const busy = new Map<string, Endpoint>()
  const idle = new LRUCache<string, Endpoint>({ max: SHARE.kept })
  let workers = 1
  let keepsToProved = false
  /** slots that are taken */
  let inside = 0
  const askers = createOthersAbout(SHARE.aboutMs, now)

  const patienceWith = ({ standing }: Endpoint): number => (standing === 'new' ? SHARE.doubtMs : SHARE.slowMs)
  const oldestIn = ({ startedAt }: Endpoint): number | undefined => startedAt.values().next().value

  const standingAt = (endpoint: Endpoint, at: number): Standing => {
    const oldest = oldestIn(endpoint)
    return oldest !== undefined && at - oldest > patienceWith(endpoint) ? 'slow' : endpoint.standing
  }

  /** Counts of exchanges in flight, of all and of each client; undefined once one has begun or ended, or an endpoint was learned about. */
  let counted: { all: InFlight; own: ReadonlyMap<string, InFlight>; until: number } | undefined

  /** Counted anew only after a change, or when an endpoint has become slow: thousands ask in between, and most in vain. */
  function tally(client: string, at: number): { all: InFlight; own: InFlight } {
    if (counted === undefined || at > counted.until) counted = countAll(at)
    return { all: counted.all, own: counted.own.get(client) ?? NOTHING }
  }

  function countAll(at: number): NonNullable<typeof counted> {
    const all = { ...NOTHING }
    const own = new Map<string, Record<Standing, number>>()
    let until = Infinity
    for (const endpoint of busy.values()) {
      const standing = standingAt(endpoint, at)
      const slowFrom = (oldestIn(endpoint) ?? Infinity) + patienceWith(endpoint)
      if (slowFrom >= at) until = Math.min(until, slowFrom)
      all[standing] += endpoint.stays.size
      for (const [client, stays] of endpoint.ofClient) {
        const its = own.get(client) ?? { ...NOTHING }
        its[standing] += stays
        own.set(client, its)
      }
    }
    return { all, own, until }
  }

  const learn = (id: string, endpoint: Endpoint, startedAt: number, strain: Strain): void => {
    counted = undefined
    if (strain === 'unasked') return
    const before = endpoint.standing
    if (now() - startedAt > SHARE.slowMs) endpoint.standing = 'slow'
    else if (strain === 'none' || before === 'slow') endpoint.standing = 'proved'
    if (strain === 'none') {
      const growth = endpoint.cutAt === undefined ? options.limit : 1 / endpoint.limit
      endpoint.limit = Math.min(options.limit, endpoint.limit + growth)
    } else if (endpoint.cutAt === undefined || startedAt >= endpoint.cutAt) {
      endpoint.limit = Math.max(1, endpoint.limit / 2)
      endpoint.cutAt = now()
    }
    if (endpoint.standing !== 'new') options.onLearned?.(id, endpoint.standing)
  }

  const letIn = (id: string, endpoint: Endpoint, client: string): symbol => {
    const stay = Symbol(id)
    counted = undefined
    inside += 1
    endpoint.stays.add(stay)
    endpoint.ofClient.set(client, (endpoint.ofClient.get(client) ?? 0) + 1)
    busy.set(id, endpoint)
    idle.delete(id)
    return stay
  }

  const find = (id: string): Endpoint | undefined => busy.get(id) ?? idle.get(id)
  const isFull = (): boolean => inside >= slots

  return {
    isKnown: (id) => find(id) !== undefined,
    isProved: (id) => {
      const endpoint = find(id)
      return endpoint !== undefined && standingAt(endpoint, now()) === 'proved'
    },
    isFull,
    among: (count) => {
      workers = Math.max(1, count)
    },
    recall: (id, standing) => {
      if (find(id) === undefined) idle.set(id, newEndpoint(standing, options.limit))
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
      const countOf = (standing: Standing): number =>
        endpoints.filter((endpoint) => standingAt(endpoint, at) === standing).length
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
      const isAlone = !askers.areAbout(client)
      // Thousands may ask in vain, many times a second.
      if (isFull()) return undefined
      const standing = standingAt(endpoint, at)
      if (keepsToProved && standing !== 'proved') return undefined
      const here = { here: endpoint.stays.size, limit: endpoint.limit, workers }
      if (judgeEndpoint(standing, here) !== undefined) return undefined
      if (judgeShare(standing, { ...tally(client, at), isAlone }, { slots, workers }) !== undefined)
        return undefined
      const stay = letIn(id, endpoint, client)
      const begin = () => {
        const startedAt = now()
        counted = undefined
        endpoint.startedAt.set(stay, startedAt)
        return (strain: Strain): void => {
          endpoint.startedAt.delete(stay)
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
          if (!endpoint.stays.delete(stay)) return
          counted = undefined
          inside -= 1
          leaveOne(endpoint.ofClient, client)
          if (endpoint.stays.size === 0) {
            busy.delete(id)
            idle.set(id, endpoint)
          }
        },
      }
    },
  }
}

const NOTHING: InFlight = { new: 0, proved: 0, slow: 0 }

function newEndpoint(standing: Standing, limit: number): Endpoint {
  return {
    stays: new Set(),
    ofClient: new Map(),
    startedAt: new Map(),
    standing,
    limit: limitAtFirst(standing, limit),
    cutAt: undefined,
  }
}

function leaveOne(ofClient: Map<string, number>, client: string): void {
  const left = (ofClient.get(client) ?? 0) - 1
  if (left > 0) ofClient.set(client, left)
  else ofClient.delete(client)
}
