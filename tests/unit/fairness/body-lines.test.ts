import { expect, test } from 'vitest'
import { AppError } from '#core/errors.ts'
import { createBatchTurns } from '#core/fairness/batch-turns.ts'
import { createBodyLines } from '#core/fairness/body-lines.ts'
import { BODIES } from '#core/fairness/limits.ts'

const LONG = BODIES.small + 1

/** Lines, and what came to pass in them. */
function open() {
  const happened: string[] = []
  const inLine = createBodyLines(createBatchTurns().inTurnOfBodies)
  const take = (caller: string, name: string, bytes: number, coming = Promise.resolve()) =>
    inLine(
      caller,
      bytes,
      async () => {
        happened.push(`${name} begins`)
        await coming
      },
      () => {
        happened.push(`${name} is read`)
        return name
      },
    )
  return { happened, inLine, take }
}

test('of a caller one long body is received at a time; another’s, and short ones, wait for none of them', async () => {
  const { happened, take } = open()
  const { promise, resolve } = Promise.withResolvers<void>()
  const first = take('one', 'first', LONG, promise)
  const second = take('one', 'second', LONG)

  expect(await take('two', 'third', LONG)).toBe('third')
  expect(await take('one', 'short', BODIES.small)).toBe('short')
  expect(happened).not.toContain('second begins')
  resolve()
  expect(await Promise.all([first, second])).toEqual(['first', 'second'])
  expect(happened.slice(-3)).toEqual(['first is read', 'second begins', 'second is read'])
})

test('past those that may wait the next is refused, and none of them is', async () => {
  const { take } = open()
  const { promise, resolve } = Promise.withResolvers<void>()
  const taken = Array.from({ length: 1 + BODIES.longestLine }, (_body, index) =>
    take('one', String(index), Infinity, promise),
  )

  await expect(take('one', 'too many', LONG)).rejects.toThrow(AppError)
  resolve()
  expect(await Promise.all(taken)).toHaveLength(1 + BODIES.longestLine)
})

test('one that cannot be received or read is its caller’s to hear, and the next is read all the same', async () => {
  const { inLine, take } = open()
  const fail = (): never => {
    throw new Error('broken')
  }

  await expect(inLine('one', LONG, () => Promise.reject(new Error('gone')), fail)).rejects.toThrow('gone')
  await expect(inLine('one', LONG, () => Promise.resolve(), fail)).rejects.toThrow('broken')
  expect(await take('one', 'next', LONG)).toBe('next')
})
