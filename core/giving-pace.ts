import { setTimeout as sleep } from 'node:timers/promises'

/** Whoever came within this is still about. */
const ABOUT_MS = 1000
/** A piece that took 10 ms is followed by a rest of 40: a fifth of the time, and four fifths for the others. */
const REST_TIMES = 4
const LONGEST_REST_MS = 250

/**
 * Lets work that comes in pieces (batches, bursts) rest after each piece for several times as long as the piece took, so long
 * as somebody is about whose single lead should not wait. With nobody about it does not rest.
 * @param now a clock in milliseconds that never goes back
 */
export function createGivingPace(now: () => number): {
  /** Somebody is about who should not wait. */
  noteSingle: () => void
  /** Runs one piece, and rests. */
  piece: <Result>(work: () => Promise<Result>) => Promise<Result>
} {
  let seenAt = -Infinity
  return {
    noteSingle: () => {
      seenAt = now()
    },
    piece: async (work) => {
      const startedAt = now()
      try {
        return await work()
      } finally {
        const at = now()
        if (at - seenAt < ABOUT_MS) await sleep(Math.min((at - startedAt) * REST_TIMES, LONGEST_REST_MS))
      }
    },
  }
}
