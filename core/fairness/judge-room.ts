import { DISPATCH, SHARE } from './limits.ts'

/** How an endpoint is known: `new` until it has answered, `slow` while an exchange takes too long or the last one did. */
export type SpeedClass = 'new' | 'proved' | 'slow'

/** Exchanges in flight, by the standing of their endpoints. */
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
 * Whether a client may have one more in flight to an endpoint of this standing. Nobody may hold more than a few times what is left
 * free, so the free never run out, however many want them; a reserve is kept for who holds nothing. Endpoints that have never
 * answered draw on a small part of the slots, slow ones on half of them, by the same rule; of the first a client has five in flight,
 * whatever their number, so that he waits behind himself.
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
  // What is new now may be slow in a moment, and must find its room there too.
  return isWithinShare(own.new, ofNew - all.new) &&
    isWithinShare(own.new + own.slow, ofNew + ofSlow - all.new - all.slow)
    ? undefined
    : 'new_full'
}

/** In flight at once to an endpoint that has shown nothing yet, of what one may get at most. */
export function limitAtFirst(speed: SpeedClass, endpointLimit: number): number {
  return speed === 'new' ? Math.min(SHARE.newAtOnce, endpointLimit) : endpointLimit
}

/** How many in flight in one of so many workers make a client give way (limit-low-priority.ts). */
export function shareInFlight(workers: number): number {
  return Math.max(DISPATCH.shareInOneWorker, Math.round(DISPATCH.share / workers))
}

/** What is asked about workers by who looks at them from outside. */
export interface AskedFromOutside {
  speed: SpeedClass
  /** in flight at the endpoint */
  here: number
  all: InFlight
  own: InFlight
  isAlone: boolean
  /** to what others send for the first time (limit-low-priority.ts) */
  givesWay: boolean
}

/**
 * What all of this comes to for so many workers together, who have so many slots in all, as if what is in flight were spread evenly
 * among them.
 * @param endpointLimit in flight to one endpoint (WEBHOOK_ENDPOINT_CONCURRENCY)
 */
export function openJudgeRoom(endpointLimit: number) {
  return function judgeRoom(
    { speed, here, isAlone, givesWay, ...asked }: AskedFromOutside,
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
      (givesWay || sumOf(own) >= shareInFlight(workers) ? 'gives_way' : undefined)
    )
  }
}

const isWithinShare = (mine: number, left: number): boolean => mine < SHARE.greed * left

function sumOf(counts: InFlight): number {
  return counts.new + counts.proved + counts.slow
}
