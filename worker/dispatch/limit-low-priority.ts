import { LRUCache } from 'lru-cache'
import { LOW_PRIORITY, DISPATCH } from '#core/fairness/limits.ts'

/**
 * Limits how many deliveries of low priority begin: retries, deliveries beyond a burst's token bucket, and deliveries
 * of a client above its share.
 */
export interface LowPriorityLimiter {
  /** A first attempt of normal priority of this client is coming. */
  noteActive: (client: string) => void
  /**
   * A client's first attempt was made.
   * @param ms how long it took without the exchange with its endpoint
   */
  noteFirstAttempt: (client: string, ms: number) => void
  /** A delivery of low priority was planned or began: its client is above its share or has a burst. */
  noteAboveShare: (client: string) => void
  /**
   * To be called a few times a second.
   * @returns how many may begin in a second; Infinity while no other client is active
   */
  adjust: () => number
  /** Number of deliveries that may begin now. The caller passes the number that did to `spend`. */
  allowance: () => number
  spend: (begun: number) => void
  /**
   * Milliseconds to pause after planning this many deliveries of bursts, so that no more are planned than may begin.
   */
  restMs: (planned: number) => number
  /** Number of workers that send, this one included. */
  setWorkerCount: (workers: number) => void
}

/**
 * Limits how many deliveries of low priority are planned and begin in a second, so that first attempts do not wait for
 * processor and database. While first attempts wait too long (the time of their endpoint excluded), the limit is
 * halved. Otherwise it grows if it is used up, and returns to its start if it is not. While no other client is active,
 * there is no limit; a client above its share does not count as active. It counts beginnings, because a delivery that
 * waits for its endpoint delays nobody.
 * @param options.most upper limit of beginnings in a second while another client is active
 * @param options.start beginnings in a second of all workers together, before anything is known
 * @param options.least lower limit of beginnings in a second of all workers together, also while others wait
 * @param options.now a clock in milliseconds that never goes back
 */
export function createLowPriorityLimiter(options: {
  most: number
  start: number
  least: number
  now: () => number
}): LowPriorityLimiter {
  const { most, now } = options
  const ofLate = { max: LOW_PRIORITY.kept, ttl: LOW_PRIORITY.quietMs, ttlResolution: 0, perf: { now } }
  const aboveShare = new LRUCache<string, true>(ofLate)
  /** clients that had first attempts of normal priority a short time ago */
  const active = new LRUCache<string, true>(ofLate)
  let { start, least } = options
  /** beginnings in a second */
  let level = start
  let left = 0
  let filledAt = now()
  let waits: number[] = []
  let spent = 0
  let judgedAt = now()
  let best = Infinity

  function isQuiet(): boolean {
    if (active.size === 0) return true
    // `keys` leaves out entries that are too old. If no others are left, all are removed, so that later calls are fast.
    if (active.keys().next().done !== true) return false
    active.clear()
    return true
  }

  const noteActive = (client: string): void => {
    if (!aboveShare.has(client)) active.set(client, true)
  }

  /** Whether active clients waited too long: the 90th percentile of their waits, or the longest of ten or fewer. */
  function judgeWaits(looks: number): boolean {
    const sorted = waits.toSorted((a, b) => a - b)
    const median = sorted[Math.floor(sorted.length / 2)] ?? Infinity
    best = Math.min(best * LOW_PRIORITY.forgetting ** looks, median)
    const worst = sorted[Math.floor(sorted.length * 0.9)] ?? 0
    return worst > Math.max(LOW_PRIORITY.tolerableMs, best * LOW_PRIORITY.timesTheBest)
  }

  /** @param looks number of checks since the last move */
  function move(isTooMuch: boolean, isUsed: boolean, looks: number): void {
    if (isTooMuch) level = Math.max(least, level * LOW_PRIORITY.shrink)
    else if (level < start) level = Math.min(start, level * LOW_PRIORITY.growBack ** looks)
    else if (isUsed) level = Math.min(most, level * LOW_PRIORITY.grow ** looks)
    else level = Math.max(start, level / LOW_PRIORITY.grow ** looks)
  }

  return {
    noteActive,
    noteFirstAttempt: (client, ms) => {
      if (aboveShare.has(client)) return
      waits.push(ms)
      noteActive(client)
    },
    noteAboveShare: (client) => {
      aboveShare.set(client, true)
      active.delete(client)
    },
    adjust: () => {
      const at = now()
      const sinceMs = at - judgedAt
      const isActive = !isQuiet()
      const isEnough = waits.length >= LOW_PRIORITY.fewestSamples || sinceMs >= LOW_PRIORITY.judgeWithinMs
      if (isActive && !(isEnough && waits.length > 0)) return level
      const looks = Math.min(sinceMs, LOW_PRIORITY.judgeWithinMs) / LOW_PRIORITY.adjustEveryMs
      const isUsed = spent >= ((level * sinceMs) / 1000) * LOW_PRIORITY.used
      move(isActive && judgeWaits(looks), isActive && isUsed, looks)
      waits = []
      spent = 0
      judgedAt = at
      return isActive ? level : Infinity
    },
    allowance: () => {
      const atOnce = Math.max(LOW_PRIORITY.atOnce, (level * DISPATCH.paceMs) / 1000)
      left = Math.min(atOnce, left + ((now() - filledAt) * level) / 1000)
      filledAt = now()
      return isQuiet() ? Infinity : Math.max(0, Math.floor(left))
    },
    spend: (begun) => {
      // Deliveries that began while no other client was active delayed nobody, so they are not deducted.
      if (!isQuiet()) left -= begun
      spent += begun
    },
    restMs: (planned) => (isQuiet() ? 0 : (planned * 1000) / level),
    setWorkerCount: (workers) => {
      const before = start
      start = options.start / Math.max(1, workers)
      least = options.least / Math.max(1, workers)
      level *= start / before
    },
  }
}
