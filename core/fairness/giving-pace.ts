import { setTimeout as sleep } from 'node:timers/promises'
import type { Leeway } from './leeway.ts'

/**
 * Lets work that comes in pieces (batches, bursts) rest after each piece, the longer the more single leads wait beside it
 * (leeway.ts). With nobody about it does not rest.
 * @param options.tolerableMs a single lead that takes no longer needs no room
 * @param options.now a clock in milliseconds that never goes back
 */
export function createGivingPace(options: {
  leeway: Leeway
  tolerableMs: number
  longestRestMs: number
  now: () => number
}): {
  /** Does something for somebody who should not wait. */
  single: <Result>(work: () => Promise<Result>) => Promise<Result>
  /** Runs one piece, and rests. */
  piece: <Result>(work: () => Promise<Result>) => Promise<Result>
} {
  const { leeway, tolerableMs, longestRestMs, now } = options
  const noteSingle = leeway.watch(tolerableMs)
  return {
    single: async (work) => {
      const startedAt = now()
      try {
        return await work()
      } finally {
        noteSingle(now() - startedAt)
      }
    },
    piece: async (work) => {
      const startedAt = now()
      try {
        return await work()
      } finally {
        leeway.noteGiving()
        const restMs = (now() - startedAt) * (1 / leeway.share() - 1)
        if (restMs > 0) await sleep(Math.min(restMs, longestRestMs))
      }
    },
  }
}
