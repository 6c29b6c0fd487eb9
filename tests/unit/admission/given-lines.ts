import { outsideLine } from '#core/pace/outside-line.ts'
import { createAccountLines } from '#server/admission/account-lines.ts'
import { ACCOUNTS } from '#server/admission/limits.ts'

const { atOnce } = ACCOUNTS

/** Lines whose requests are answered, and whose rests end, when the test says so. */
export function givenLines() {
  let ms = 0
  const rests: (() => void)[] = []
  const inLine = createAccountLines(
    async (piece) => {
      const result = await piece()
      const { promise, resolve } = Promise.withResolvers<void>()
      rests.push(resolve)
      await promise
      return result
    },
    () => ms,
  )
  const begun: { account: string; answer: () => void; fail: () => void }[] = []
  const ask = (account: string, length = 0): Promise<void> =>
    inLine(
      account,
      () => {
        const { promise, resolve, reject } = Promise.withResolvers<void>()
        begun.push({
          account,
          answer: resolve,
          fail: () => {
            reject(new Error('refused'))
          },
        })
        return promise
      },
      () => length,
    )
  /** Until nothing more can begin by itself. */
  const settle = async (): Promise<void> => {
    for (let turn = 0; turn < 20; turn += 1) await Promise.resolve()
  }
  /** Spends his measure. */
  const spend = async (account: string): Promise<void> => {
    for (let asked = 0; asked < atOnce; asked += 1) {
      const answered = ask(account)
      await settle()
      begun.pop()?.answer()
      await answered
      await settle()
      rests.pop()?.()
      await settle()
    }
  }
  /** One that waits for others, as often as it is told, until the test lets it go on. */
  const askOutside = (account: string, waits = 1) => {
    const others: PromiseWithResolvers<void>[] = []
    const asked = inLine(account, async () => {
      await Promise.all(
        Array.from({ length: waits }, () => {
          const other = Promise.withResolvers<void>()
          others.push(other)
          return outsideLine(() => other.promise)
        }),
      )
      begun.push({ account, answer: () => undefined, fail: () => undefined })
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
