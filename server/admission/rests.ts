import { setTimeout as sleep } from 'node:timers/promises'
import { LINES } from './limits.ts'

/** Rests after pieces of work while single leads come, so that most of the processor and the database is left to those. */
export interface Rests {
  /** Somebody is about whose single lead should not wait. */
  noteSingle: () => void
  /** Runs a piece of work, and rests. A piece that took longer than the longest rest is followed by one as long as itself. */
  after: <Result>(rest: Rest, piece: () => Promise<Result>) => Promise<Result>
  /** Ends all rests, now and later: the server stops, and everything that it has begun is to be over in time. */
  stop: () => void
}

export interface Rest {
  /** for each time that the piece took */
  times: number
  longestMs: number
}

/** @param now a clock in milliseconds that never goes back */
export function createRests(now: () => number): Rests {
  let seenAt = -Infinity
  const stopping = new AbortController()
  const { signal } = stopping
  return {
    noteSingle: () => {
      seenAt = now()
    },
    after: async ({ times, longestMs }, piece) => {
      const startedAt = now()
      try {
        return await piece()
      } finally {
        const at = now()
        const took = at - startedAt
        if (at - seenAt < LINES.activeMs)
          await sleep(Math.max(took, Math.min(took * times, longestMs)), undefined, { signal }).catch(
            () => undefined,
          )
      }
    },
    stop: () => {
      stopping.abort()
    },
  }
}
