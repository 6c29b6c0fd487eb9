import { AppError } from '../errors.ts'
import { createGivingPace } from './giving-pace.ts'
import { limitParallel } from '../pace/limit-parallel.ts'

/** Each batch waits with one piece; who came behind so many would wait for too long. */
const LONGEST_LINE = 100
/** Whoever posts a batch waits for all its pieces. */
const LONGEST_REST_MS = 250

/** One piece of one batch at a time, resting while single leads come in. */
export function createBatchTurns(): {
  noteSingle: () => void
  /** For a batch that is about to begin; one that has begun is never sent away. @throws AppError unavailable */
  admit: () => void
  inTurn: <T>(piece: () => Promise<T>) => Promise<T>
} {
  const pace = createGivingPace({ now: () => performance.now(), longestRestMs: LONGEST_REST_MS })
  const oneByOne = limitParallel(1, Infinity, () => new Error('the line of batches has no end'))
  let waiting = 0
  return {
    noteSingle: pace.noteSingle,
    admit: () => {
      if (waiting >= LONGEST_LINE)
        throw new AppError('unavailable', 'Too many batches are waiting. Nothing of this one was stored.')
    },
    inTurn: (piece) => {
      waiting += 1
      return oneByOne(() => {
        waiting -= 1
        return pace.piece(piece)
      })
    },
  }
}
