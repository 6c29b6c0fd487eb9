import { LRUCache } from 'lru-cache'
import { GIVE_WAY, ROUNDS } from '#core/fairness/limits.ts'

/** The brake on whatever gives way: retries, the excess of bursts, deliveries of who has much in flight. */
export interface GiveWay {
  /** A first attempt of a client is about to be made. */
  noteAbout: (client: string) => void
  /** A client's first attempt was made; `ms` is how long it took apart from the exchange with its endpoint. */
  noteFirst: (client: string, ms: number) => void
  /** Of a client with much under way, or a burst, something began that gives way, or was planned. */
  noteMuch: (client: string) => void
  /** To be asked a few times a second. @returns how many may begin in a second; Infinity with nobody to give way to */
  decide: () => number
  /** How many more may begin now; `spend` says how many did. */
  allowance: () => number
  spend: (begun: number) => void
  /** Milliseconds for which whoever has planned so many deliveries of bursts rests, so that no more are planned than may begin. */
  restMs: (planned: number) => number
  /** So many workers let deliveries begin beside each other, this one among them. */
  among: (workers: number) => void
}

/**
 * How many deliveries that give way may be planned, and may begin, in a second, so that first attempts do not wait for processor and
 * database. It looks at what first attempts wait for beside their endpoint: while that is more than tolerable the number is halved,
 * while it is less, and the number is made use of, it grows; unused it goes back to where it starts. With nobody about to give way
 * to, nothing is held back. Beginnings are counted, not what is in flight: waiting for an endpoint costs nobody anything.
 * Nobody gives way to himself: what a client waits for who has much under way says nothing about others.
 * @param options.most beginnings in a second that it never grows beyond while somebody is about
 * @param options.start in a second, of all workers together, before anything is known
 * @param options.least in a second, of all workers together, whoever needs room
 * @param options.now a clock in milliseconds that never goes back
 */
export function createGiveWay(options: {
  most: number
  start: number
  least: number
  now: () => number
}): GiveWay {
  const { most, now } = options
  const ofLate = { max: GIVE_WAY.kept, ttl: GIVE_WAY.quietMs, ttlResolution: 0, perf: { now } }
  const much = new LRUCache<string, true>(ofLate)
  /** who is given way to */
  const about = new LRUCache<string, true>(ofLate)
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
    if (about.size === 0) return true
    // The newest comes first, and those of long ago are passed over: with none left they need not be passed over again.
    if (about.keys().next().done !== true) return false
    about.clear()
    return true
  }

  const noteAbout = (client: string): void => {
    if (!much.has(client)) about.set(client, true)
  }

  /** Whether those who were about waited for too long, by the worst but a tenth of them; of ten or fewer by the worst. */
  function judgeWaits(looks: number): boolean {
    const sorted = waits.toSorted((a, b) => a - b)
    const median = sorted[Math.floor(sorted.length / 2)] ?? Infinity
    best = Math.min(best * GIVE_WAY.forgetting ** looks, median)
    const worst = sorted[Math.floor(sorted.length * 0.9)] ?? 0
    return worst > Math.max(GIVE_WAY.tolerableMs, best * GIVE_WAY.timesTheBest)
  }

  /** @param looks for how many looks' time it was not moved */
  function move(isTooMuch: boolean, isUsed: boolean, looks: number): void {
    if (isTooMuch) level = Math.max(least, level * GIVE_WAY.shrink)
    else if (level < start) level = Math.min(start, level * GIVE_WAY.growBack ** looks)
    else if (isUsed) level = Math.min(most, level * GIVE_WAY.grow ** looks)
    else level = Math.max(start, level / GIVE_WAY.grow ** looks)
  }

  return {
    noteAbout,
    noteFirst: (client, ms) => {
      if (much.has(client)) return
      waits.push(ms)
      noteAbout(client)
    },
    noteMuch: (client) => {
      much.set(client, true)
      about.delete(client)
    },
    decide: () => {
      const at = now()
      const sinceMs = at - judgedAt
      const isAbout = !isQuiet()
      const isEnough = waits.length >= GIVE_WAY.fewestSamples || sinceMs >= GIVE_WAY.judgeWithinMs
      if (isAbout && !(isEnough && waits.length > 0)) return level
      const looks = Math.min(sinceMs, GIVE_WAY.judgeWithinMs) / GIVE_WAY.adjustEveryMs
      const isUsed = spent >= ((level * sinceMs) / 1000) * GIVE_WAY.used
      move(isAbout && judgeWaits(looks), isAbout && isUsed, looks)
      waits = []
      spent = 0
      judgedAt = at
      return isAbout ? level : Infinity
    },
    allowance: () => {
      const atOnce = Math.max(GIVE_WAY.atOnce, (level * ROUNDS.paceMs) / 1000)
      left = Math.min(atOnce, left + ((now() - filledAt) * level) / 1000)
      filledAt = now()
      return isQuiet() ? Infinity : Math.max(0, Math.floor(left))
    },
    spend: (begun) => {
      // Nobody waited for what began while nobody was about, so nobody makes up for it.
      if (!isQuiet()) left -= begun
      spent += begun
    },
    restMs: (planned) => (isQuiet() ? 0 : (planned * 1000) / level),
    among: (workers) => {
      const before = start
      start = options.start / Math.max(1, workers)
      least = options.least / Math.max(1, workers)
      level *= start / before
    },
  }
}
