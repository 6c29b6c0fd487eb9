import { runInPlace } from '#core/concurrency/outside-queue.ts'
import { ACCOUNTS, RESTS, STRANGERS } from './limits.ts'
import { createEndlessQueue, createRequestQueue, createTokenBuckets, type Measure } from './request-queue.ts'
import type { Rests } from './rests.ts'
import type { Sender } from './sender.ts'

/**
 * Runs a request of this sender; `lengthOf` says how many characters were sent. Throws AppError rate_limited
 * while too many of its requests wait.
 */
export type InAccountQueue = <Result>(
  sender: Sender,
  request: () => Promise<Result>,
  lengthOf?: (result: Result) => number,
) => Promise<Result>

/** The limits of one name: of the sender, or of all unapproved senders together. */
interface Scope {
  enter: (task: () => Promise<void>) => Promise<void>
  enterAgain: (task: () => Promise<void>) => Promise<void>
  oneByOne: (task: () => Promise<void>) => Promise<void>
  takeTokens: (cost: number) => boolean
}

/**
 * Answers a few requests of a sender at a time and the others in order. Beyond the token bucket it answers
 * one at a time, and while single leads arrive it rests after each for a multiple of the time it took. So a
 * program that sends the next request as soon as it is answered leaves the server to others, and a person at
 * a screen notices nothing. A long request and a long answer take more tokens.
 * @param now a clock in milliseconds that never goes back
 */
export function createAccountQueues(rests: Pick<Rests, 'after'>, now: () => number): InAccountQueue {
  const ofSender = openScopes(
    ACCOUNTS,
    createRequestQueue(
      ACCOUNTS.together,
      'Too many of your requests are waiting. Wait for their answers, then ask again.',
    ),
    now,
  )
  const times = STRANGERS.asAccounts
  const limits = {
    together: times * ACCOUNTS.together,
    atOnce: times * ACCOUNTS.atOnce,
    perSecond: times * ACCOUNTS.perSecond,
  }
  const ofStrangers = openScopes(limits, createEndlessQueue(limits.together), now)('strangers')
  return <Result>(sender: Sender, request: () => Promise<Result>, lengthOf = (_result: Result) => 0) => {
    // The sender's own queue comes first, so that each sender has only a few requests in the queue of all
    // unapproved senders, which refuses nobody.
    const scopes = [ofSender(sender.name), ...(sender.isStranger ? [ofStrangers] : [])]
    const { promise, resolve, reject } = Promise.withResolvers<Result>()
    let begunAt = 0
    let giveBack: (() => void) | undefined
    let outside = 0
    let isOver = false

    /** Holds a place in each queue, from `begin` until it is given up. */
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
      for (const { takeTokens } of scopes) takeTokens(long + length / ACCOUNTS.charactersOfOne)
      giveBack()
      giveBack = undefined
    }
    async function stepOut<Waited>(wait: () => Promise<Waited>): Promise<Waited> {
      if (outside === 0) giveUp()
      outside += 1
      try {
        return await wait()
      } finally {
        // If several steps of the request wait at once, the last one to finish takes the place again.
        if (outside === 1 && giveBack === undefined && !isOver) await comeBack()
        outside -= 1
      }
    }
    async function comeBack(): Promise<void> {
      const { promise: back, resolve: begin } = Promise.withResolvers<void>()
      void passAll(
        scopes.map(({ enterAgain }) => enterAgain),
        async () => {
          if (isOver) begin()
          else await hold(begin)
        },
      )
      await back
    }
    function end(length: number, settle: () => void): void {
      isOver = true
      giveUp(length)
      // The caller gets the answer before the rest begins.
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
    const begin = (): Promise<void> => {
      const beyond = scopes.filter(({ takeTokens }) => !takeTokens(1))
      if (beyond.length === 0) return answer()
      return passAll(
        beyond.map(({ oneByOne }) => oneByOne),
        () => rests.after(RESTS.request, answer),
      )
    }
    passAll(
      scopes.map(({ enter }) => enter),
      begin,
    ).catch(reject)
    return promise
  }
}

/**
 * @param enter the queue before the first request; a request that comes back waits in another one, which
 * never refuses
 * @returns the limits of a name
 */
function openScopes(
  { together, ...measure }: Measure & { together: number },
  enter: ReturnType<typeof createRequestQueue>,
  now: () => number,
): (name: string) => Scope {
  const enterAgain = createEndlessQueue(together)
  const oneByOne = createEndlessQueue(ACCOUNTS.togetherBeyond)
  const takeTokens = createTokenBuckets(measure, now)
  return (name) => ({
    enter: (task) => enter(name, task),
    enterAgain: (task) => enterAgain(name, task),
    oneByOne: (task) => oneByOne(name, task),
    takeTokens: (cost) => takeTokens(name, cost),
  })
}

/** Runs the task once each queue, one after the other, has let it in. */
function passAll(
  queues: ReadonlyArray<(task: () => Promise<void>) => Promise<void>>,
  task: () => Promise<void>,
): Promise<void> {
  return queues.reduceRight<() => Promise<void>>((inner, queue) => () => queue(inner), task)()
}
