import { setTimeout as sleep } from 'node:timers/promises'
import { GIVING_PACE } from './limits.ts'

/**
 * Lets batches, which come in pieces, rest after each piece for many times as long as the piece took, so long as
 * somebody is about whose single lead should not wait: it leaves most of processor and database to them, whatever else
 * they have to do there. With nobody about it does not rest.
 * @param options.now a clock in milliseconds that never goes back
 * @param options.restTimes rest for each time that a piece took
 * @param options.leastRestTimes the same, but for each piece, also one that makes it longer than `longestRestMs`
 */
export function createGivingPace(options: {
  now: () => number
  longestRestMs: number
  restTimes?: number
  leastRestTimes?: number
}): {
  /** Somebody is about who should not wait. */
  noteSingle: () => void
  /** Runs one piece, and rests. */
  piece: <Result>(work: () => Promise<Result>) => Promise<Result>
  /** From now on nothing rests, and what rests goes on: the process is about to end. */
  stop: () => void
} {
  const { now, longestRestMs, restTimes = GIVING_PACE.restTimes, leastRestTimes = 0 } = options
  let seenAt = -Infinity
  const stopping = new AbortController()
  const { signal } = stopping
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
        const took = at - startedAt
        if (at - seenAt < GIVING_PACE.aboutMs) {
          const rest = Math.max(Math.min(took * restTimes, longestRestMs), took * leastRestTimes)
          await sleep(rest, undefined, { signal }).catch(() => undefined)
        }
      }
    },
    stop: () => {
      stopping.abort()
    },
  }
}
