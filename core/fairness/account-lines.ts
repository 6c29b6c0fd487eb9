import { AppError } from '../errors.ts'
import { limitParallelEach } from '../pace/limit-parallel-each.ts'
import { createBuckets } from './buckets.ts'
import { ACCOUNTS } from './limits.ts'

/**
 * Requests of an account, of which a few are answered at a time, and the others in their order. Past his measure one at a time, and
 * while single leads come in each makes the next wait for some times as long as it took: a program that asks as fast as it is answered
 * leaves the server to others, and a person at a screen notices nothing. A long answer counts as many, and so does one that took long.
 * @param restAfter runs a piece of work and rests after it (giving-pace.ts)
 * @param now a clock in milliseconds that never goes back
 * @returns runs a request of this account; `lengthOf` says how many characters were sent. Throws AppError rate_limited while too many of his wait
 */
export function createAccountLines(
  restAfter: (piece: () => Promise<void>) => Promise<void>,
  now: () => number,
): <Result>(
  account: string,
  request: () => Promise<Result>,
  lengthOf?: (result: Result) => number,
) => Promise<Result> {
  const take = createBuckets(ACCOUNTS, now)
  const inLine = limitParallelEach(ACCOUNTS.together, ACCOUNTS.longestLine, () => {
    const detail = 'Too many of your requests are waiting. Wait for their answers, then ask again.'
    return new AppError('rate_limited', detail, { retryAfterSeconds: 1 })
  })
  const oneByOne = limitParallelEach(1, Infinity, () => new Error('the line is limited by the places in it'))
  return <Result>(account: string, request: () => Promise<Result>, lengthOf = (_result: Result) => 0) => {
    const { promise, resolve, reject } = Promise.withResolvers<Result>()
    // The caller has his answer before the rest.
    const answer = async (): Promise<void> => {
      const begunAt = now()
      const [outcome] = await Promise.allSettled([request()])
      const length = outcome.status === 'fulfilled' ? lengthOf(outcome.value) : 0
      const long = Math.floor((now() - begunAt) / ACCOUNTS.millisecondsOfOne)
      take(account, long + length / ACCOUNTS.charactersOfOne)
      if (outcome.status === 'fulfilled') resolve(outcome.value)
      else reject(outcome.reason)
    }
    inLine(account, () =>
      take(account, 1) >= 0 ? answer() : oneByOne(account, () => restAfter(answer)),
    ).catch(reject)
    return promise
  }
}

/**
 * Long answers of an account, of which few are made at a time: each takes as long as its reader does, and must not hold up his screens.
 * @returns sends an answer of this account; throws AppError rate_limited while too many of his wait
 */
export function createExportLines(): (account: string, send: () => Promise<unknown>) => Promise<unknown> {
  return limitParallelEach(ACCOUNTS.exportsTogether, ACCOUNTS.longestLineOfExports, () => {
    const detail = 'Too many of your downloads are waiting. Wait for them to end, then ask again.'
    return new AppError('rate_limited', detail, { retryAfterSeconds: 5 })
  })
}
