import type { Leeway } from './leeway.ts'
import { ROUNDS } from './limits.ts'

/**
 * How many deliveries that give way (retries, the excess of a burst) may begin in a second, so that first attempts do not wait
 * for processor and database (leeway.ts). Beginnings are counted, not what is in flight: waiting for an endpoint costs nobody
 * anything.
 * @param options.most beginnings in a second from which on nothing is held back
 * @param options.now a clock in milliseconds that never goes back
 */
export function createGiveWay(options: { most: number; leeway: Leeway; now: () => number }): {
  /** How many more may begin now; `spend` says how many did. */
  allowance: () => number
  spend: (begun: number) => void
} {
  const { most, leeway, now } = options
  let left = 0
  let filledAt = now()
  return {
    allowance: () => {
      const share = leeway.share()
      left = Math.min(ROUNDS.most, left + ((now() - filledAt) * most * share) / 1000)
      filledAt = now()
      return share >= 1 ? Infinity : Math.max(0, Math.floor(left))
    },
    spend: (begun) => {
      if (begun > 0) leeway.noteGiving()
      left -= begun
    },
  }
}
