import { DISPATCH, SHARE } from './limits.ts'

/** How fast an endpoint answers: `new` until it has answered, `slow` while an exchange takes too long or the last one did. */
export type SpeedClass = 'new' | 'proved' | 'slow'

/** Exchanges in flight, by the speed class of their endpoints. */
export type InFlight = Readonly<Record<SpeedClass, number>>

/** Why an endpoint may have no more in flight. */
export type NoRoomHere = 'endpoint_new' | 'endpoint_full'

/** Why a client may have no more in flight; `new_full` and `endpoint_slow`: what all such endpoints share is in use. */
export type NoShare = 'slots_full' | 'client_share' | 'newcomers' | 'new_full' | 'endpoint_slow'

/** The slots of one worker, and how many workers send beside each other. */
export interface SlotsOfWorker {
  slots: number
  workers: number
}

/**
 * Each worker gives an endpoint its part of what it may have at once, and at least one.
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
 * Whether a client may have one more request in flight to an endpoint of this speed class. A client may hold at most a few times the
 * free slots, so the free slots never run out; a reserve is kept for clients who hold none. Endpoints that have never answered share a
 * small part of the slots and slow ones half of them, by the same rule. A client has five requests to new endpoints in flight at most.
 * @param all of everybody in this worker @param own of the client
 * @param isAlone nobody else has asked for a slot lately
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
    // Somebody's quick ones that fell silent together may hold more than the part of slow ones; that shuts nobody else's out.
    const isFirst = sumOf(own) === 0 && free > reserve && all.slow < slots * SHARE.mostOfSlow
    return isFirst || isWithinShare(own.slow, ofSlow - all.slow) ? undefined : 'endpoint_slow'
  }
  const ofNew = Math.max(1, Math.floor(slots * SHARE.partOfNew))
  if (own.new >= Math.ceil(SHARE.newPerClient / workers)) return 'newcomers'
  // A new endpoint may be slow in a moment, and must have room there too.
  return isWithinShare(own.new, ofNew - all.new) &&
    isWithinShare(own.new + own.slow, ofNew + ofSlow - all.new - all.slow)
    ? undefined
    : 'new_full'
}

/** In flight at once to an endpoint that has shown nothing yet, of what one may get at most. */
export function limitAtFirst(speed: SpeedClass, endpointLimit: number): number {
  return speed === 'new' ? Math.min(SHARE.newAtOnce, endpointLimit) : endpointLimit
}

/** A client's share in one of so many workers: from so many in flight on it has low priority (limit-low-priority.ts). */
export function shareInFlight(workers: number): number {
  return Math.max(DISPATCH.shareInOneWorker, Math.round(DISPATCH.share / workers))
}

/** A question about all workers, from a process that is none of them. */
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
 * @param endpointLimit in flight to one endpoint (WEBHOOK_ENDPOINT_CONCURRENCY)
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
