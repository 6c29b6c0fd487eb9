import { DISPATCH, SHARE } from './limits.ts'

/**
 * The speed class of an endpoint: `new` until it has answered, `slow` while an exchange takes too long or the last one
 * did.
 */
export type SpeedClass = 'new' | 'proved' | 'slow'

/** Exchanges in flight, by the speed class of their endpoints. */
export type InFlight = Readonly<Record<SpeedClass, number>>

/** The reason why an endpoint may have no more in flight. */
export type NoRoomHere = 'endpoint_new' | 'endpoint_full'

/**
 * The reason why a client may have no more in flight; `new_full` and `endpoint_slow`: the slots that all such endpoints
 * share are in use.
 */
export type NoShare = 'slots_full' | 'client_share' | 'newcomers' | 'new_full' | 'endpoint_slow'

/** The slots of one worker, and the number of workers that send. */
export interface SlotsOfWorker {
  slots: number
  workers: number
}

/**
 * Each worker gives an endpoint its part of the endpoint's limit, and at least one request.
 * @param here in flight there, from this worker
 * @param limit for all workers together
 */
export function admitToEndpoint(
  speed: SpeedClass,
  { here, limit, workers }: { here: number; limit: number; workers: number },
): NoRoomHere | undefined {
  if (here < Math.max(1, Math.floor(limit / workers))) return undefined
  return speed === 'new' ? 'endpoint_new' : 'endpoint_full'
}

/**
 * Whether a client may have one more request in flight to an endpoint of this speed class. A client may hold at most a
 * few times as many slots as are free, so slots never run out; a reserve is kept for clients that hold none. Endpoints
 * that have never answered share a small part of the slots, and slow endpoints share half of them, by the same rule. A
 * client has at most five requests to new endpoints in flight.
 * @param all exchanges of all clients in this worker
 * @param own exchanges of the client
 * @param isAlone whether no other client has asked for a slot lately
 */
export function judgeShare(
  speed: SpeedClass,
  { all, own, isAlone }: { all: InFlight; own: InFlight; isAlone: boolean },
  { slots, workers }: SlotsOfWorker,
): NoShare | undefined {
  const free = slots - sumOf(all)
  const reserve = Math.ceil(slots * SHARE.reserve)
  if (free <= 0) return 'slots_full'
  if (sumOf(own) > 0 && !(isAlone ? free > reserve : isWithinShare(sumOf(own), free - reserve)))
    return 'client_share'
  if (speed === 'proved') return undefined
  const ofSlow = Math.max(1, Math.floor(slots * SHARE.partOfSlow))
  if (speed === 'slow') {
    // Quick endpoints of one client that fell silent together may hold more than the part of slow ones; that must not
    // exclude other clients' slow endpoints.
    const isFirst = sumOf(own) === 0 && free > reserve && all.slow < slots * SHARE.mostOfSlow
    return isFirst || isWithinShare(own.slow, ofSlow - all.slow) ? undefined : 'endpoint_slow'
  }
  const ofNew = Math.max(1, Math.floor(slots * SHARE.partOfNew))
  if (own.new >= Math.ceil(SHARE.newPerClient / workers)) return 'newcomers'
  // A new endpoint may turn out slow, so there must be room among the slow ones too.
  return isWithinShare(own.new, ofNew - all.new) &&
    isWithinShare(own.new + own.slow, ofNew + ofSlow - all.new - all.slow)
    ? undefined
    : 'new_full'
}

/** Limit of requests in flight to an endpoint that has shown nothing yet, derived from the limit of a proved one. */
export function limitAtFirst(speed: SpeedClass, endpointLimit: number): number {
  return speed === 'new' ? Math.min(SHARE.newAtOnce, endpointLimit) : endpointLimit
}

/** A client's share in each of `workers` workers: with more in flight it has low priority (limit-low-priority.ts). */
export function shareInFlight(workers: number): number {
  return Math.max(DISPATCH.shareInOneWorker, Math.round(DISPATCH.share / workers))
}

/** A question about all workers, asked by a process that is not a worker. */
export interface AskedFromOutside {
  speed: SpeedClass
  /** in flight at the endpoint */
  here: number
  all: InFlight
  own: InFlight
  isAlone: boolean
  /** a retry, or a delivery beyond a burst's token bucket */
  isLowPriority: boolean
}

/**
 * Applies these rules to all workers together, as if the requests in flight were spread evenly among them.
 * @param endpointLimit limit of requests in flight to one endpoint (WEBHOOK_ENDPOINT_CONCURRENCY)
 */
export function openJudgeRoom(endpointLimit: number) {
  return function judgeRoom(
    { speed, here, isAlone, isLowPriority, ...asked }: AskedFromOutside,
    { count: workers, slots }: { count: number; slots: number },
  ): NoRoomHere | NoShare | 'gives_way' | undefined {
    const ofEach = (sum: InFlight): InFlight => ({
      new: sum.new / workers,
      proved: sum.proved / workers,
      slow: sum.slow / workers,
    })
    const [all, own] = [ofEach(asked.all), ofEach(asked.own)]
    const limit = limitAtFirst(speed, endpointLimit)
    return (
      admitToEndpoint(speed, { here: here / workers, limit, workers }) ??
      judgeShare(speed, { all, own, isAlone }, { slots: slots / workers, workers }) ??
      (isLowPriority || sumOf(own) >= shareInFlight(workers) ? 'gives_way' : undefined)
    )
  }
}

const isWithinShare = (mine: number, left: number): boolean => mine < SHARE.greed * left

function sumOf(counts: InFlight): number {
  return counts.new + counts.proved + counts.slow
}
