import { AppError } from '#core/errors.ts'
import { outsideQueue } from '#core/concurrency/outside-queue.ts'
import { QUEUES, MEMORY, RESTS } from './limits.ts'
import { createEndlessQueue } from './request-queue.ts'
import type { Rests } from './rests.ts'

/** Work that a server does in chunks, with rests while single leads arrive. */
export interface LongWork {
  /**
   * Admits a batch that is about to begin; a batch that has begun is never refused.
   * @throws AppError unavailable
   */
  admitBatch: () => void
  inBatchQueue: <Result>(piece: () => Promise<Result>) => Promise<Result>
  /**
   * Replays of failed deliveries have a queue of their own, so a person who presses the button waits for no
   * batch.
   */
  inReplayQueue: <Result>(piece: () => Promise<Result>) => Promise<Result>
  /**
   * Parses a body of this many bytes. Long bodies are parsed whole, one at a time, the senders in turn; short
   * ones at once.
   */
  readBody: <Result>(sender: string, bytes: number, read: () => Result) => Promise<Result>
}

export function createLongWork({ after }: Pick<Rests, 'after'>): LongWork {
  const inQueue = createEndlessQueue(1)
  const bodiesOfSender = createEndlessQueue(1)
  let batches = 0
  return {
    admitBatch: () => {
      if (batches >= QUEUES.longest)
        throw new AppError('unavailable', 'Too many batches are waiting. Nothing of this one was stored.')
    },
    inBatchQueue: (piece) => {
      batches += 1
      return inQueue('batches', () => {
        batches -= 1
        return after(RESTS.piece, piece)
      })
    },
    inReplayQueue: (piece) => outsideQueue(() => inQueue('replays', () => after(RESTS.piece, piece))),
    readBody: async <Result>(sender: string, bytes: number, read: () => Result): Promise<Result> => {
      if (bytes <= MEMORY.smallBody) return read()
      return await bodiesOfSender(sender, async () => {
        // The sender gets the result before the rest begins.
        const { promise, resolve, reject } = Promise.withResolvers<Result>()
        const readOne = (): Promise<void> => Promise.resolve().then(read).then(resolve, reject)
        void inQueue('bodies', () => after(RESTS.body, readOne))
        return await promise
      })
    },
  }
}
