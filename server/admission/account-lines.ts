import { runInPlace } from '#core/pace/outside-line.ts'
import { ACCOUNTS, RESTS, STRANGERS } from './limits.ts'
import { createInnerLine, createLine, createMeasure, type Measure } from './line.ts'
import type { Rests } from './rests.ts'
import type { Sender } from './sender.ts'

/** Runs a request of this sender; `lengthOf` says how many characters were sent. Throws AppError rate_limited while too many of his wait. */
export type InAccountLine = <Result>(
  sender: Sender,
  request: () => Promise<Result>,
  lengthOf?: (result: Result) => number,
) => Promise<Result>

/** One of the names that a request is counted by: its sender's, and that of all strangers. */
interface Scope {
  enter: (task: () => Promise<void>) => Promise<void>
  enterAgain: (task: () => Promise<void>) => Promise<void>
  oneByOne: (task: () => Promise<void>) => Promise<void>
  isInMeasure: (cost: number) => boolean
}

/**
 * Requests of a sender, of which a few are answered at a time, and the others in their order. Past his measure one at a time, and
 * while single leads come each makes the next wait for some times as long as it took: a program that asks as fast as it is answered
 * leaves the server to others, and a person at a screen notices nothing. A long answer counts as many requests, and so does one that
 * took long.
 * @param now a clock in milliseconds that never goes back
 */
export function createAccountLines(rests: Pick<Rests, 'after'>, now: () => number): InAccountLine {
  const ofSender = openScopes(
    ACCOUNTS,
    createLine(
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
  const ofStrangers = openScopes(limits, createInnerLine(limits.together), now)('strangers')
  return <Result>(sender: Sender, request: () => Promise<Result>, lengthOf = (_result: Result) => 0) => {
    // The sender's own line comes first, so that of each only a few stand in the line of all strangers, which refuses nobody.
    const scopes = [ofSender(sender.name), ...(sender.isStranger ? [ofStrangers] : [])]
    const { promise, resolve, reject } = Promise.withResolvers<Result>()
    let begunAt = 0
    let giveBack: (() => void) | undefined
    let outside = 0
    let isOver = false

    /** Holds a place in each line, from `begin` until they are given up. */
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
      for (const { isInMeasure } of scopes) isInMeasure(long + length / ACCOUNTS.charactersOfOne)
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
    const begin = (): Promise<void> => {
      const beyond = scopes.filter(({ isInMeasure }) => !isInMeasure(1))
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
 * @param enter the line before the first request; who comes back is let in by another, and never refused
 * @returns what is counted under this name
 */
function openScopes(
  { together, ...measure }: Measure & { together: number },
  enter: ReturnType<typeof createLine>,
  now: () => number,
): (name: string) => Scope {
  const enterAgain = createInnerLine(together)
  const oneByOne = createInnerLine(ACCOUNTS.togetherBeyond)
  const isInMeasure = createMeasure(measure, now)
  return (name) => ({
    enter: (task) => enter(name, task),
    enterAgain: (task) => enterAgain(name, task),
    oneByOne: (task) => oneByOne(name, task),
    isInMeasure: (cost) => isInMeasure(name, cost),
  })
}

/** Runs it when there is room in each of the lines, one after the other. */
function passAll(
  lines: ReadonlyArray<(task: () => Promise<void>) => Promise<void>>,
  task: () => Promise<void>,
): Promise<void> {
  return lines.reduceRight<() => Promise<void>>((inner, line) => () => line(inner), task)()
}
