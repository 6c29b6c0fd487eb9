import { AppError } from '#core/errors.ts'
import { createGivingPace } from './giving-pace.ts'
import { limitParallel } from '#core/pace/limit-parallel.ts'
import { outsideLine } from '#core/pace/outside-line.ts'
import { ACCOUNTS, BATCHES, BODIES } from './limits.ts'

/** One piece of one batch at a time, resting while single leads come in; and so with what is sent again by the thousand. */
export function createBatchTurns(): {
  noteSingle: () => void
  /** For a batch that is about to begin; one that has begun is never sent away. @throws AppError unavailable */
  admit: () => void
  inTurn: <T>(piece: () => Promise<T>) => Promise<T>
  /** The same for the pieces of replays of what has failed, in a line of their own: whoever presses the button waits for no batch. */
  inTurnOfReplays: <T>(piece: () => Promise<T>) => Promise<T>
  /** The same for long bodies, which are read one after the other, with longer rests: nothing of one can be left for later. */
  inTurnOfBodies: <T>(read: () => Promise<T>) => Promise<T>
  /** Answers a request of an account, in no line, and rests after it. */
  restAfter: <T>(piece: () => Promise<T>) => Promise<T>
  /** Nothing rests any more: the server stops, and what it has begun is to be over in time. */
  endRests: () => void
} {
  const pace = createGivingPace({ now: () => performance.now(), longestRestMs: BATCHES.longestRestMs })
  const paceOfAccounts = createGivingPace({ ...ACCOUNTS, now: () => performance.now() })
  const paceOfBodies = createGivingPace({ ...BODIES, now: () => performance.now() })
  const oneByOne = limitParallel(1, Infinity, () => new Error('the line of batches has no end'))
  const replaysOneByOne = limitParallel(1, Infinity, () => new Error('the line of replays has no end'))
  const bodiesOneByOne = limitParallel(1, Infinity, () => new Error('the line of bodies has no end'))
  let waiting = 0
  return {
    noteSingle: () => {
      pace.noteSingle()
      paceOfAccounts.noteSingle()
      paceOfBodies.noteSingle()
    },
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
    restAfter: paceOfAccounts.piece,
    inTurnOfBodies: (read) => bodiesOneByOne(() => paceOfBodies.piece(read)),
    endRests: () => {
      pace.stop()
      paceOfAccounts.stop()
      paceOfBodies.stop()
    },
    inTurnOfReplays: (piece) => outsideLine(() => replaysOneByOne(() => pace.piece(piece))),
  }
}
