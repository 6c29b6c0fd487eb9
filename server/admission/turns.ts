import { AppError } from '#core/errors.ts'
import { outsideLine } from '#core/pace/outside-line.ts'
import { LINES, MEMORY, RESTS } from './limits.ts'
import { createInnerLine } from './line.ts'
import type { Rests } from './rests.ts'

/** Work that is done one piece at a time in a server, with rests while single leads come. */
export interface Turns {
  /** For a batch that is about to begin; one that has begun is never sent away. @throws AppError unavailable */
  admitBatch: () => void
  inTurnOfBatches: <Result>(piece: () => Promise<Result>) => Promise<Result>
  /** Replays of what has failed: whoever presses the button waits for no batch. */
  inTurnOfReplays: <Result>(piece: () => Promise<Result>) => Promise<Result>
  /** A body of so many bytes; long ones of each sender one in turn, as nothing of one can be left for later. Short ones are read as they come. */
  readBody: <Result>(sender: string, bytes: number, read: () => Result) => Promise<Result>
}

export function createPriorities({ after }: Pick<Rests, 'after'>): Turns {
  const inLine = createInnerLine(1)
  const bodiesOfSender = createInnerLine(1)
  let batches = 0
  return {
    admitBatch: () => {
      if (batches >= LINES.longest)
        throw new AppError('unavailable', 'Too many batches are waiting. Nothing of this one was stored.')
    },
    inTurnOfBatches: (piece) => {
      batches += 1
      return inLine('batches', () => {
        batches -= 1
        return after(RESTS.piece, piece)
      })
    },
    inTurnOfReplays: (piece) => outsideLine(() => inLine('replays', () => after(RESTS.piece, piece))),
    readBody: async <Result>(sender: string, bytes: number, read: () => Result): Promise<Result> => {
      if (bytes <= MEMORY.smallBody) return read()
      return await bodiesOfSender(sender, async () => {
        // The sender goes on before the rest.
        const { promise, resolve, reject } = Promise.withResolvers<Result>()
        const readOne = (): Promise<void> => Promise.resolve().then(read).then(resolve, reject)
        void inLine('bodies', () => after(RESTS.body, readOne))
        return await promise
      })
    },
  }
}
