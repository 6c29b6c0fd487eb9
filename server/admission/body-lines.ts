import { AppError } from '#core/errors.ts'
import { limitParallelEach } from '#core/pace/limit-parallel-each.ts'
import { BODIES } from './limits.ts'

export interface BodyLines {
  /**
   * For a long body that is about to be received; one that was received is never sent away for his sake.
   * @throws AppError rate_limited while too many of this caller's wait
   */
  admit: (caller: string) => void
  /**
   * Reads a body of so many bytes that was received.
   * @throws AppError unavailable where more would wait than there may be in memory
   */
  read: <Result>(caller: string, bytes: number, read: () => Result) => Promise<Result>
}

/**
 * Long bodies are read one at a time, of each caller one in turn, and while single leads come in the next waits for many times as long
 * as that took. Short ones are read as they come.
 * @param inTurn reads a body and rests after it (batch-turns.ts)
 */
export function createBodyLines(inTurn: <Result>(read: () => Promise<Result>) => Promise<Result>): BodyLines {
  const ownOneByOne = limitParallelEach(
    1,
    Infinity,
    () => new Error('the line is limited by what is admitted'),
  )
  const waiting = new Map<string, number>()
  let held = 0

  const count = (caller: string, bodies: number, bytes: number): void => {
    const left = (waiting.get(caller) ?? 0) + bodies
    if (left === 0) waiting.delete(caller)
    else waiting.set(caller, left)
    held += bytes
  }

  return {
    admit: (caller) => {
      if ((waiting.get(caller) ?? 0) <= BODIES.longestLine) return
      const detail =
        'Too many of your requests with long bodies are waiting. Wait for their answers, then ask again.'
      throw new AppError('rate_limited', detail, { retryAfterSeconds: 1 })
    },
    read: async <Result>(caller: string, bytes: number, read: () => Result): Promise<Result> => {
      if (bytes <= BODIES.small) return read()
      if (held + bytes > BODIES.mostHeld)
        throw new AppError('unavailable', 'Too many long bodies are waiting. Nothing of this one was stored.')
      count(caller, 1, bytes)
      try {
        return await ownOneByOne(caller, async () => {
          // The caller goes on before the rest.
          const { promise, resolve, reject } = Promise.withResolvers<Result>()
          void inTurn(() => Promise.resolve().then(read).then(resolve, reject))
          return await promise
        })
      } finally {
        count(caller, -1, -bytes)
      }
    },
  }
}
