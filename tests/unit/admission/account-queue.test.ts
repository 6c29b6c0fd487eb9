import { describe, expect, it } from 'vitest'
import { AppError } from '#core/errors.ts'
import { createAccountQueues } from '#server/admission/account-queue.ts'
import { ACCOUNTS, QUEUES, STRANGERS } from '#server/admission/limits.ts'
import { account, givenLines, NO_RESTS } from './given-queues.ts'

const { together, atOnce, perSecond, charactersOfOne, millisecondsOfOne } = ACCOUNTS
const longestLine = QUEUES.longest
const mostDebt = QUEUES.longestDebtSeconds * perSecond

describe('an account that has tokens left', () => {
  it('has a few requests answered at once and the others in order; another account is answered at once', async () => {
    const { ask, begun, settle } = givenLines()
    const asked = Array.from({ length: together + 2 }, () => ask('many'))
    const other = ask('other')
    await settle()
    expect(begun.map(({ account: name }) => name)).toEqual([...Array<string>(together).fill('many'), 'other'])

    begun[together]?.answer()
    await other
    begun[0]?.answer()
    await asked[0]
    await settle()
    expect(begun).toHaveLength(together + 2)
  })

  it('is refused a request while its queue is full', async () => {
    const { ask, settle } = givenLines()
    for (let asked = 0; asked < together + longestLine; asked += 1) void ask('many')
    await settle()
    const detail = 'Too many of your requests are waiting. Wait for their answers, then ask again.'
    await expect(ask('many')).rejects.toThrow(new AppError('rate_limited', detail, { retryAfterSeconds: 1 }))
  })

  it('never waits when it opens a screen of six quick requests each second', async () => {
    const { ask, begun, rests, settle, wait } = givenLines()
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

  it('gets each failure, and its next request is answered, with and without tokens', async () => {
    const inLine = createAccountQueues(NO_RESTS, () => 0)
    for (let asked = 0; asked < 2 * atOnce; asked += 1)
      await expect(inLine(account('one'), () => Promise.reject(new Error('broke')))).rejects.toThrow('broke')
    await expect(inLine(account('one'), () => Promise.resolve('answered'))).resolves.toBe('answered')
  })
})

describe('an account without tokens', () => {
  it('has one request answered at a time; the next begins after a rest', async () => {
    const { ask, begun, rests, settle, spend } = givenLines()
    await spend('many')
    const [first] = [ask('many'), ask('many'), ask('many')]
    await settle()
    expect(begun).toHaveLength(1)
    begun[0]?.answer()
    // The answer does not wait for the rest.
    await first
    await settle()
    expect(begun).toHaveLength(1)
    rests[0]?.()
    await settle()
    expect(begun).toHaveLength(2)
  })

  it('is like any other account once its tokens have refilled', async () => {
    const { ask, begun, settle, spend, wait } = givenLines()
    for (let times = 0; times < 3; times += 1) await spend('many')
    wait((mostDebt + together) / perSecond)
    for (let asked = 0; asked < together; asked += 1) void ask('many')
    await settle()
    expect(begun).toHaveLength(together)
  })

  it('is also an account that got a long answer, which costs as much as many short ones', async () => {
    const { ask, begun, rests, settle, wait } = givenLines()
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
    'is also an account whose requests take long before they are %s, which costs as much as many short ones',
    async (_how, end) => {
      const { ask, begun, settle, wait } = givenLines()
      for (let asked = 0; asked < 2 * together; asked += 1) void ask('slow').catch(() => undefined)
      await settle()
      // A minute costs no more than many short requests.
      wait(60)
      for (const one of begun.splice(0)) end(one)
      await settle()
      expect(begun).toHaveLength(1)
      for (let asked = 0; asked < 2 * together; asked += 1) void ask('other').catch(() => undefined)
      await settle()
      expect(begun).toHaveLength(1 + together)
    },
  )

  it('is like any other account within three seconds of a request that took a minute', async () => {
    const { ask, begun, settle, wait } = givenLines()
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

  it('is not an account whose requests are too short to count', async () => {
    const { ask, begun, settle, wait } = givenLines()
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

describe('unapproved senders', () => {
  const stranger = (name: string) => ({ name, isStranger: true })
  const most = STRANGERS.asAccounts * together

  it('have together the places of a few accounts, and delay no approved account', async () => {
    const { ask, begun, settle } = givenLines()
    for (let network = 0; network < 10; network += 1)
      for (let asked = 0; asked < 10; asked += 1) void ask('network', 0, stranger(`network ${network}`))
    await settle()
    expect(begun).toHaveLength(most)
    void ask('known')
    await settle()
    expect(begun.at(-1)?.account).toBe('known')
  })

  it('wait for a few requests of each other network, and are not refused because of them', async () => {
    const { ask, begun, settle } = givenLines()
    for (let asked = 0; asked < together + longestLine; asked += 1) void ask('many', 0, stranger('many'))
    for (let network = 0; network < most; network += 1) void ask('others', 0, stranger(`other ${network}`))
    await settle()
    const few = ask('few', 0, stranger('few'))
    for (let answered = 0; !begun.some(({ account: name }) => name === 'few'); answered += 1) {
      expect(answered).toBeLessThan(most + together)
      begun.find(({ account: name }) => name === 'others')?.answer()
      begun.splice(
        begun.findIndex(({ account: name }) => name === 'others'),
        1,
      )
      await settle()
    }
    begun.find(({ account: name }) => name === 'few')?.answer()
    await few
  })

  it('spend tokens that all of them share, and each network waits in its own queue', async () => {
    const { ask, begun, rests, settle } = givenLines()
    for (let asked = 0; asked < STRANGERS.asAccounts * atOnce; asked += 1) {
      void ask('one', 0, stranger(`network ${asked % 10}`))
      await settle()
      begun.pop()?.answer()
      await settle()
    }
    expect(rests).toHaveLength(0)
    void ask('one', 0, stranger('network 10'))
    void ask('next', 0, stranger('network 11'))
    await settle()
    expect(begun).toHaveLength(1)
    begun.pop()?.answer()
    await settle()
    expect(begun).toHaveLength(0)
    rests.pop()?.()
    await settle()
    expect(begun).toHaveLength(1)
  })
})
