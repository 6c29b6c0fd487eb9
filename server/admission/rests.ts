import { setTimeout as sleep } from 'node:timers/promises'
import { QUEUES } from './limits.ts'

/**
 * Rests after chunks of work while single leads arrive, so that these have most of the processor and the
 * database.
 */
export interface Rests {
  /** A single lead arrived. */
  noteSingle: () => void
  /** Runs a chunk of work, then rests at least as long as the chunk took. */
  after: <Result>(rest: Rest, piece: () => Promise<Result>) => Promise<Result>
  /** Ends all rests, now and later, because the server stops. */
  stop: () => void
}

export interface Rest {
  /** the rest as a multiple of the time that the chunk took */
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
        if (at - seenAt < QUEUES.activeMs)
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
