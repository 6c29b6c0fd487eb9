import { AppError } from '../errors.ts'
import { limitParallelEach } from '../pace/limit-parallel-each.ts'
import { BODIES } from './limits.ts'

/**
 * Long bodies of a caller, of which one is received and read at a time; of all callers one is read at a time, and while single leads
 * come in the next waits for many times as long as that took. What waits is not received: it costs no memory here.
 * @param inTurn reads a body and rests after it (batch-turns.ts)
 * @returns receives and reads a body of so many bytes; throws AppError rate_limited while too many of this caller's wait
 */
export function createBodyLines(
  inTurn: <Result>(read: () => Promise<Result>) => Promise<Result>,
): <Result>(
  caller: string,
  bytes: number,
  receive: () => Promise<void>,
  read: () => Result,
) => Promise<Result> {
  const inLine = limitParallelEach(1, BODIES.longestLine, () => {
    const detail =
      'Too many of your requests with long bodies are waiting. Wait for their answers, then ask again.'
    return new AppError('rate_limited', detail, { retryAfterSeconds: 1 })
  })
  return async <Result>(
    caller: string,
    bytes: number,
    receive: () => Promise<void>,
    read: () => Result,
  ): Promise<Result> => {
    if (bytes <= BODIES.small) {
      await receive()
      return read()
    }
    return await inLine(caller, async () => {
      await receive()
      // The caller goes on before the rest.
      const { promise, resolve, reject } = Promise.withResolvers<Result>()
      void inTurn(() => Promise.resolve().then(read).then(resolve, reject))
      return await promise
    })
  }
}
