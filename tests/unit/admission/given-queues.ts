import { outsideQueue } from '#core/concurrency/outside-queue.ts'
import { createAccountQueues } from '#server/admission/account-queue.ts'
import { ACCOUNTS } from '#server/admission/limits.ts'
import type { Rests } from '#server/admission/rests.ts'
import type { Sender } from '#server/admission/sender.ts'

const { atOnce } = ACCOUNTS

/** An approved account. */
export const account = (name: string): Sender => ({ name, isStranger: false })

/** Rests of zero length. */
export const NO_RESTS: Pick<Rests, 'after'> = { after: async (_rest, piece) => await piece() }

/** Queues whose requests are answered, and whose rests end, when the test says so. */
export function givenLines() {
  let ms = 0
  const rests: (() => void)[] = []
  const inLine = createAccountQueues(
    {
      after: async (_rest, piece) => {
        const result = await piece()
        const { promise, resolve } = Promise.withResolvers<void>()
        rests.push(resolve)
        await promise
        return result
      },
    },
    () => ms,
  )
  const begun: { account: string; answer: () => void; fail: () => void }[] = []
  const ask = (name: string, length = 0, sender = account(name)): Promise<void> =>
    inLine(
      sender,
      () => {
        const { promise, resolve, reject } = Promise.withResolvers<void>()
        begun.push({
          account: name,
          answer: resolve,
          fail: () => {
            reject(new Error('refused'))
          },
        })
        return promise
      },
      () => length,
    )
  /** Waits until nothing more can begin by itself. */
  const settle = async (): Promise<void> => {
    for (let turn = 0; turn < 20; turn += 1) await Promise.resolve()
  }
  /** Uses up the account's tokens. */
  const spend = async (name: string): Promise<void> => {
    for (let asked = 0; asked < atOnce; asked += 1) {
      const answered = ask(name)
      await settle()
      begun.pop()?.answer()
      await answered
      await settle()
      rests.pop()?.()
      await settle()
    }
  }
  /** A request that waits for an outside answer as often as told, until the test lets it continue. */
  const askOutside = (name: string, waits = 1) => {
    const others: PromiseWithResolvers<void>[] = []
    const asked = inLine(account(name), async () => {
      await Promise.all(
        Array.from({ length: waits }, () => {
          const other = Promise.withResolvers<void>()
          others.push(other)
          return outsideQueue(() => other.promise)
        }),
      )
      begun.push({ account: name, answer: () => undefined, fail: () => undefined })
      await last.promise
    })
    const last = Promise.withResolvers<void>()
    return { asked, others, end: last.resolve }
  }
  return {
    ask,
    askOutside,
    begun,
    rests,
    settle,
    spend,
    wait: (seconds: number) => {
      ms += seconds * 1000
    },
  }
}
