import { limitAtFirst, type InFlight, type SpeedClass } from '#core/fairness/judge-room.ts'
import { SHARE } from '#core/fairness/limits.ts'

/**
 * `strained`: the endpoint did not answer, or asked for less (429, 503); it gets half as many requests at a time.
 * `unasked`: nothing was sent to it, and nothing is learned.
 */
export type Strain = 'none' | 'strained' | 'unasked'

/** An endpoint as the slot pool knows it. Times are milliseconds of a clock that never goes back. */
export interface PoolEndpoint {
  /** slots taken at this endpoint */
  slots: Set<symbol>
  /** number of these slots for each client */
  ofClient: Map<string, number>
  /** when each exchange in flight began, oldest first. Our own work before and after an exchange does not count */
  startedAt: Map<symbol, number>
  speed: SpeedClass
  /** limit of exchanges in flight, as far as the endpoint has shown that it can take them */
  limit: number
  /** when that limit was last cut; an exchange that began before cannot cut it again */
  cutAt: number | undefined
}

/**
 * Counts of exchanges in flight, in total and for each client. They are valid until `until`, when an endpoint becomes
 * slow.
 */
export interface InFlightCounts {
  all: InFlight
  own: ReadonlyMap<string, InFlight>
  until: number
}

export const NOTHING: InFlight = { new: 0, proved: 0, slow: 0 }

/** @param most exchanges in flight to one endpoint (WEBHOOK_ENDPOINT_CONCURRENCY) */
export function newEndpoint(speed: SpeedClass, most: number): PoolEndpoint {
  return {
    slots: new Set(),
    ofClient: new Map(),
    startedAt: new Map(),
    speed,
    limit: limitAtFirst(speed, most),
    cutAt: undefined,
  }
}

/** The speed class at this moment: an endpoint is slow while an exchange in flight takes too long. */
export function speedAt(endpoint: PoolEndpoint, at: number): SpeedClass {
  const oldest = oldestIn(endpoint)
  return oldest !== undefined && at - oldest > patienceWith(endpoint) ? 'slow' : endpoint.speed
}

export function oldestIn({ startedAt }: PoolEndpoint): number | undefined {
  return startedAt.values().next().value
}

function patienceWith({ speed }: PoolEndpoint): number {
  return speed === 'new' ? SHARE.doubtMs : SHARE.slowMs
}

/**
 * Learns from an exchange that has ended. A sign of strain halves the endpoint's limit; an answer lets it grow again.
 * @param most see {@link newEndpoint}
 */
export function learnFrom(
  endpoint: PoolEndpoint,
  { startedAt, endedAt }: { startedAt: number; endedAt: number },
  strain: Exclude<Strain, 'unasked'>,
  most: number,
): void {
  if (endedAt - startedAt > SHARE.slowMs) endpoint.speed = 'slow'
  else if (strain === 'none' || endpoint.speed === 'slow') endpoint.speed = 'proved'
  if (strain === 'none') {
    const growth = endpoint.cutAt === undefined ? most : 1 / endpoint.limit
    endpoint.limit = Math.min(most, endpoint.limit + growth)
  } else if (endpoint.cutAt === undefined || startedAt >= endpoint.cutAt) {
    endpoint.limit = Math.max(1, endpoint.limit / 2)
    endpoint.cutAt = endedAt
  }
}

export function countInFlight(endpoints: Iterable<PoolEndpoint>, at: number): InFlightCounts {
  const all = { ...NOTHING }
  const own = new Map<string, Record<SpeedClass, number>>()
  let until = Infinity
  for (const endpoint of endpoints) {
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

export function takeOne(ofClient: Map<string, number>, client: string): void {
  ofClient.set(client, (ofClient.get(client) ?? 0) + 1)
}

export function leaveOne(ofClient: Map<string, number>, client: string): void {
  const left = (ofClient.get(client) ?? 0) - 1
  if (left > 0) ofClient.set(client, left)
  else ofClient.delete(client)
}
