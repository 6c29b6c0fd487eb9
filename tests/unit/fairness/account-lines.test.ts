import { describe, expect, it } from 'vitest'
import { AppError } from '#core/errors.ts'
import { createAccountLines, outsideLine } from '#core/fairness/account-lines.ts'
import { ACCOUNTS } from '#core/fairness/limits.ts'

const { together, longestLine, atOnce, perSecond, mostDebt, charactersOfOne, millisecondsOfOne } = ACCOUNTS

/** Lines whose requests are answered, and whose rests end, when the test says so. */
function given() {
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

describe('in measure', () => {
  it('answers a few of an account at a time, the others in their order, and another account at once', async () => {
    const { ask, begun, settle } = given()
    const asked = Array.from({ length: together + 2 }, () => ask('many'))
    const other = ask('other')
    await settle()
    expect(begun.map(({ account }) => account)).toEqual([...Array<string>(together).fill('many'), 'other'])

    begun[together]?.answer()
    await other
    begun[0]?.answer()
    await asked[0]
    await settle()
    expect(begun).toHaveLength(together + 2)
  })

  it('refuses what comes when a whole line waits already', async () => {
    const { ask, settle } = given()
    for (let asked = 0; asked < together + longestLine; asked += 1) void ask('many')
    await settle()
    const detail = 'Too many of your requests are waiting. Wait for their answers, then ask again.'
    await expect(ask('many')).rejects.toThrow(new AppError('rate_limited', detail, { retryAfterSeconds: 1 }))
  })

  it('never makes ordinary screens wait, each of six requests that take a moment, one screen a second', async () => {
    const { ask, begun, rests, settle, wait } = given()
    for (let screen = 0; screen < 10; screen += 1) {
      const asked = Array.from({ length: 6 }, () => ask('person'))
      await settle()
      for (let answered = 0; answered < 6; answered += 1) {
        wait(0.02 / 6)
        begun.shift()?.answer()
        await settle()
      }
      await Promise.all(asked)
      wait(1)
    }
    expect(rests).toEqual([])
  })

  it('passes failures on, and goes on, past his measure too', async () => {
    const inLine = createAccountLines(
      (piece) => piece(),
      () => 0,
    )
    for (let asked = 0; asked < 2 * atOnce; asked += 1)
      await expect(inLine('one', () => Promise.reject(new Error('broke')))).rejects.toThrow('broke')
    await expect(inLine('one', () => Promise.resolve('answered'))).resolves.toBe('answered')
  })
})

describe('past his measure', () => {
  it('answers one at a time, at once, and begins the next after the rest', async () => {
    const { ask, begun, rests, settle, spend } = given()
    await spend('many')
    const [first] = [ask('many'), ask('many'), ask('many')]
    await settle()
    expect(begun).toHaveLength(1)
    begun[0]?.answer()
    // Before the rest has ended.
    await first
    await settle()
    expect(begun).toHaveLength(1)
    rests[0]?.()
    await settle()
    expect(begun).toHaveLength(2)
  })

  it('is like anybody once the measure has filled', async () => {
    const { ask, begun, settle, spend, wait } = given()
    for (let times = 0; times < 3; times += 1) await spend('many')
    wait((mostDebt + together) / perSecond)
    for (let asked = 0; asked < together; asked += 1) void ask('many')
    await settle()
    expect(begun).toHaveLength(together)
  })

  it('is who was sent a long answer, for as long as after many short ones', async () => {
    const { ask, begun, rests, settle, wait } = given()
    const long = ask('many', 1000 * atOnce * charactersOfOne)
    await settle()
    begun.pop()?.answer()
    await long
    for (let asked = 0; asked < 2; asked += 1) void ask('many')
    await settle()
    expect(begun).toHaveLength(1)
    begun.pop()?.answer()
    await settle()
    expect(begun).toHaveLength(0)
    rests.pop()?.()
    await settle()
    begun.pop()?.answer()
    await settle()
    rests.pop()?.()

    wait((mostDebt + together) / perSecond)
    for (let asked = 0; asked < together; asked += 1) void ask('many')
    await settle()
    expect(begun).toHaveLength(together)
  })

  it.each([
    ['answered', (one: { answer: () => void }) => one.answer()],
    ['refused', (one: { fail: () => void }) => one.fail()],
  ])(
    'is whose requests take long before they are %s, for as long as after many short ones',
    async (_how, end) => {
      const { ask, begun, settle, wait } = given()
      for (let asked = 0; asked < 2 * together; asked += 1) void ask('slow').catch(() => undefined)
      await settle()
      // A minute, of which he is out again as soon as of many.
      wait(60)
      for (const one of begun.splice(0)) end(one)
      await settle()
      expect(begun).toHaveLength(1)
      for (let asked = 0; asked < 2 * together; asked += 1) void ask('other').catch(() => undefined)
      await settle()
      expect(begun).toHaveLength(1 + together)
    },
  )

  it('is like anybody two or three seconds after a request that took a minute', async () => {
    const { ask, begun, settle, wait } = given()
    const long = ask('slow')
    await settle()
    wait(60)
    begun.pop()?.answer()
    await long
    wait((mostDebt + together) / perSecond)
    expect((mostDebt + together) / perSecond).toBeLessThan(3)
    for (let asked = 0; asked < together; asked += 1) void ask('slow')
    await settle()
    expect(begun).toHaveLength(together)
  })

  it('is not whose requests take less than counts', async () => {
    const { ask, begun, settle, wait } = given()
    for (let asked = 0; asked < atOnce; asked += 1) {
      void ask('quick')
      await settle()
      wait((millisecondsOfOne - 1) / 1000)
      begun.pop()?.answer()
      await settle()
    }
    for (let asked = 0; asked < together; asked += 1) void ask('quick')
    await settle()
    expect(begun).toHaveLength(together)
  })
})

describe('a request that waits for somebody else', () => {
  it('holds no place meanwhile, and takes one again for what it does then', async () => {
    const { ask, askOutside, begun, settle } = given()
    const outside = Array.from({ length: together }, () => askOutside('many'))
    await settle()
    const inside = Array.from({ length: together + 1 }, () => ask('many'))
    await settle()
    expect(begun).toHaveLength(together)

    for (const { others } of outside) for (const other of others) other.resolve()
    await settle()
    // They are let in beside the line: whoever was let in before is not sent to its end.
    expect(begun).toHaveLength(2 * together)
    for (const one of begun.slice(0, together)) one.answer()
    for (const { end } of outside) end()
    await settle()
    begun.at(-1)?.answer()
    await Promise.all([...inside, ...outside.map(({ asked }) => asked)])
  })

  it('is not counted for the time in which it waits, and is for the rest', async () => {
    const { askOutside, ask, begun, settle, wait } = given()
    const outside = askOutside('patient')
    await settle()
    wait(60)
    outside.others[0]?.resolve()
    await settle()
    expect(begun).toHaveLength(1)
    for (let asked = 0; asked < together - 1; asked += 1) void ask('patient')
    await settle()
    expect(begun).toHaveLength(together)

    wait(60)
    outside.end()
    await outside.asked
    for (const one of begun.splice(1)) one.answer()
    await settle()
    for (let asked = 0; asked < together; asked += 1) void ask('patient')
    await settle()
    expect(begun).toHaveLength(2)
  })

  it('has one place, also where it waits for several at once', async () => {
    const { ask, askOutside, begun, settle } = given()
    const outside = askOutside('many', 3)
    await settle()
    for (const other of outside.others) {
      expect(begun).toHaveLength(0)
      other.resolve()
      await settle()
    }
    expect(begun).toHaveLength(1)
    outside.end()
    await outside.asked
    for (let asked = 0; asked < 2 * together; asked += 1) void ask('many')
    await settle()
    expect(begun).toHaveLength(1 + together)
  })

  it('waits where there is no line, too', async () => {
    await expect(outsideLine(() => Promise.resolve('answered'))).resolves.toBe('answered')
    await expect(outsideLine(() => Promise.reject(new Error('broke')))).rejects.toThrow('broke')
  })

  it('gives its place back where what it waited for has failed', async () => {
    const inLine = createAccountLines(
      (piece) => piece(),
      () => 0,
    )
    for (let asked = 0; asked < 2 * together; asked += 1)
      await expect(
        inLine('one', () => outsideLine(() => Promise.reject(new Error('broke')))),
      ).rejects.toThrow('broke')
    await expect(inLine('one', () => Promise.resolve('answered'))).resolves.toBe('answered')
  })
})
