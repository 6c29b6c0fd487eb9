import { AppError } from '../errors.ts'
import { createGivingPace } from './giving-pace.ts'
import { createLeeway } from './leeway.ts'
import { limitParallel } from '../pace/limit-parallel.ts'
import { BATCHES } from './limits.ts'

/** One piece of one batch at a time, resting while single leads come in. */
export function createBatchTurns(): {
  /** Stores a lead that comes alone. */
  single: <T>(work: () => Promise<T>) => Promise<T>
  /** For a batch that is about to begin; one that has begun is never sent away. @throws AppError unavailable */
  admit: () => void
  inTurn: <T>(piece: () => Promise<T>) => Promise<T>
} {
  const now = (): number => performance.now()
  const pace = createGivingPace({ ...BATCHES, leeway: createLeeway(now), now })
  const oneByOne = limitParallel(1, Infinity, () => new Error('the line of batches has no end'))
  let waiting = 0
  return {
    single: pace.single,
    admit: () => {
      if (waiting >= BATCHES.longestLine)
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
