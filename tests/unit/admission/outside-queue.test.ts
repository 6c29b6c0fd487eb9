import { describe, expect, it } from 'vitest'
import { outsideQueue } from '#core/concurrency/outside-queue.ts'
import { createAccountQueues } from '#server/admission/account-queue.ts'
import { ACCOUNTS } from '#server/admission/limits.ts'
import { account, givenLines, NO_RESTS } from './given-queues.ts'

const { together } = ACCOUNTS

describe('a request that waits for another service', () => {
  it('holds no place in the queue meanwhile, and takes one again afterwards', async () => {
    const { ask, askOutside, begun, settle } = givenLines()
    const outside = Array.from({ length: together }, () => askOutside('many'))
    await settle()
    const inside = Array.from({ length: together + 1 }, () => ask('many'))
    await settle()
    expect(begun).toHaveLength(together)

    for (const { others } of outside) for (const other of others) other.resolve()
    await settle()
    // They are admitted outside the queue: a request that was admitted before does not return to its end.
    expect(begun).toHaveLength(2 * together)
    for (const one of begun.slice(0, together)) one.answer()
    for (const { end } of outside) end()
    await settle()
    begun.at(-1)?.answer()
    await Promise.all([...inside, ...outside.map(({ asked }) => asked)])
  })

  it('is charged only for its own time, without the wait', async () => {
    const { askOutside, ask, begun, settle, wait } = givenLines()
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

  it('has one place, even if it waits for several services at once', async () => {
    const { ask, askOutside, begun, settle } = givenLines()
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

  it('also works without a queue', async () => {
    await expect(outsideQueue(() => Promise.resolve('answered'))).resolves.toBe('answered')
    await expect(outsideQueue(() => Promise.reject(new Error('broke')))).rejects.toThrow('broke')
  })

  it('gives its place back if the other service fails', async () => {
    const inLine = createAccountQueues(NO_RESTS, () => 0)
    for (let asked = 0; asked < 2 * together; asked += 1)
      await expect(
        inLine(account('one'), () => outsideQueue(() => Promise.reject(new Error('broke')))),
      ).rejects.toThrow('broke')
    await expect(inLine(account('one'), () => Promise.resolve('answered'))).resolves.toBe('answered')
  })
})
