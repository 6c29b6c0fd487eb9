import { setTimeout as sleep } from 'node:timers/promises'

/** Whoever came within this is still about. */
const ABOUT_MS = 1000
/** A piece that took 10 ms at its quickest is followed by a rest of 40: a fifth of the time, four fifths for the others. */
const REST_TIMES = 4
/** The quickest piece is forgotten slowly: what was possible an hour ago says little. */
const FORGETTING = 1.005

/**
 * Lets work that comes in pieces (batches, bursts) rest after each piece for several times as long as the piece took, so long
 * as somebody is about whose single lead should not wait: for longer still when the piece took longer than the quickest one,
 * because then processor or database were short. With nobody about it does not rest.
 * @param options.now a clock in milliseconds that never goes back
 */
export function createGivingPace(options: { now: () => number; longestRestMs: number }): {
  /** Somebody is about who should not wait. */
  noteSingle: () => void
  /**
   * Runs one piece, and rests.
   * @param isFull whether it was a whole piece: how long a part takes is no measure for the others
   */
  piece: <Result>(work: () => Promise<Result>, isFull: (result: Result) => boolean) => Promise<Result>
} {
  const { now, longestRestMs } = options
  let seenAt = -Infinity
  let quickest = Infinity
  return {
    noteSingle: () => {
      seenAt = now()
    },
    piece: async (work, isFull) => {
      const startedAt = now()
      try {
        const result = await work()
        if (isFull(result)) quickest = Math.max(1, Math.min(quickest * FORGETTING, now() - startedAt))
        return result
      } finally {
        const took = now() - startedAt
        const rest = took * REST_TIMES * Math.max(1, took / quickest)
        if (now() - seenAt < ABOUT_MS) await sleep(Math.min(rest, longestRestMs))
      }
    },
  }
}
