import { AppError } from '#core/errors.ts'
import { createBuckets } from '#core/fairness/buckets.ts'
import { limitParallelEach } from '#core/pace/limit-parallel-each.ts'
import { runInPlace } from '#core/pace/outside-line.ts'
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
  // A request that comes back has been let in before, and is never refused.
  const inLineAgain = limitParallelEach(ACCOUNTS.together, Infinity, () => new Error('it has no end'))
  return <Result>(account: string, request: () => Promise<Result>, lengthOf = (_result: Result) => 0) => {
    const { promise, resolve, reject } = Promise.withResolvers<Result>()
    let begunAt = 0
    let giveBack: (() => void) | undefined
    let outside = 0
    let isOver = false

    /** Holds a place, from `begin` until it is given up. */
    function hold(begin: () => void): Promise<void> {
      const held = Promise.withResolvers<void>()
      begunAt = now()
      giveBack = held.resolve
      begin()
      return held.promise
    }
    function giveUp(length = 0): void {
      if (giveBack === undefined) return
      const long = Math.floor((now() - begunAt) / ACCOUNTS.millisecondsOfOne)
      take(account, long + length / ACCOUNTS.charactersOfOne)
      giveBack()
      giveBack = undefined
    }
    async function stepOut<Waited>(wait: () => Promise<Waited>): Promise<Waited> {
      if (outside === 0) giveUp()
      outside += 1
      try {
        return await wait()
      } finally {
        // When several wait beside each other, the last one brings it back.
        if (outside === 1 && giveBack === undefined && !isOver) await comeBack()
        outside -= 1
      }
    }
    async function comeBack(): Promise<void> {
      const { promise: back, resolve: begin } = Promise.withResolvers<void>()
      void inLineAgain(account, async () => {
        if (isOver) begin()
        else await hold(begin)
      })
      await back
    }
    function end(length: number, settle: () => void): void {
      isOver = true
      giveUp(length)
      // The caller has his answer before the rest.
      settle()
    }
    const answer = (): Promise<void> =>
      hold(() => {
        runInPlace({ stepOut }, request).then(
          (result) => {
            end(lengthOf(result), () => {
              resolve(result)
            })
          },
          (error: unknown) => {
            end(0, () => {
              reject(error)
            })
          },
        )
      })
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
