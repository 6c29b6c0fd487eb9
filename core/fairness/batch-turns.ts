import { AppError } from '../errors.ts'
import { createGivingPace } from './giving-pace.ts'
import { limitParallel } from '../pace/limit-parallel.ts'
import { BATCHES } from './limits.ts'

/** One piece of one batch at a time, resting while single leads come in; and so with what is sent again by the thousand. */
export function createBatchTurns(): {
  noteSingle: () => void
  /** For a batch that is about to begin; one that has begun is never sent away. @throws AppError unavailable */
  admit: () => void
  inTurn: <T>(piece: () => Promise<T>) => Promise<T>
  /** Runs a piece of something else that comes in many, in no line, and rests after it. */
  restAfter: <T>(piece: () => Promise<T>) => Promise<T>
  /**
   * One replay at a time, because each holds a connection for as long as its pieces and their rests last.
   * @throws AppError unavailable while too many wait
   */
  replay: <T>(
    work: (inPiece: <Part>(piece: () => Promise<Part>) => Promise<Part>) => Promise<T>,
  ) => Promise<T>
} {
  const pace = createGivingPace({ now: () => performance.now(), longestRestMs: BATCHES.longestRestMs })
  const oneByOne = limitParallel(1, Infinity, () => new Error('the line of batches has no end'))
  const replaysOneByOne = limitParallel(
    1,
    BATCHES.longestLineOfReplays,
    () =>
      new AppError(
        'unavailable',
        'Many others are sending again what has failed. Nothing of this was sent again; try it in a minute.',
      ),
  )
  let waiting = 0
  return {
    noteSingle: pace.noteSingle,
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
    restAfter: pace.piece,
    replay: (work) => replaysOneByOne(() => work(pace.piece)),
  }
}
