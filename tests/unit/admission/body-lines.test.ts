import { expect, test } from 'vitest'
import { AppError } from '#core/errors.ts'
import { createBatchTurns } from '#server/admission/batch-turns.ts'
import { createBodyLines } from '#server/admission/body-lines.ts'
import { BODIES } from '#server/admission/limits.ts'

const LONG = BODIES.small + 1

/** Lines whose turn is a test's to give, and what was read in them. */
function open() {
  const read: string[] = []
  const turns: (() => void)[] = []
  const lines = createBodyLines(async (body) => {
    const { promise, resolve } = Promise.withResolvers<void>()
    turns.push(resolve)
    await promise
    return await body()
  })
  const take = (caller: string, name: string, bytes = LONG) =>
    lines.read(caller, bytes, () => {
      read.push(name)
      return name
    })
  return { lines, read, take, turns }
}

test('short bodies are read as they come, long ones of a caller one in turn, and another’s beside them', async () => {
  const { read, take, turns } = open()
  const long = [take('one', 'first'), take('one', 'second'), take('two', 'third')]
  expect(await take('one', 'short', BODIES.small)).toBe('short')

  expect(turns).toHaveLength(2)
  for (const turn of turns.splice(0)) turn()
  expect(await Promise.all([long[0], long[2]])).toEqual(['first', 'third'])
  expect(read).toEqual(['short', 'first', 'third'])
  turns[0]?.()
  expect(await long[1]).toBe('second')
})

test('past those of a caller that may wait the next is refused before it comes, and no other caller’s', async () => {
  const { lines, take, turns } = open()
  const taken = Array.from({ length: 1 + BODIES.longestLine }, (_body, index) => {
    lines.admit('one')
    return take('one', String(index))
  })
  expect(() => lines.admit('one')).toThrow(AppError)
  lines.admit('two')
  for (let left = taken.length; left > 0; left -= 1) {
    turns.shift()?.()
    await taken[taken.length - left]
  }
  lines.admit('one')
})

test('no more of them wait than memory is set aside for', async () => {
  const { take, turns } = open()
  const half = BODIES.mostHeld / 2
  const taken = [take('one', 'first', half), take('two', 'second', half)]
  await expect(take('three', 'third')).rejects.toThrow('Too many long bodies are waiting.')
  for (const turn of turns) turn()
  await Promise.all(taken)
  const next = take('three', 'third')
  turns.at(-1)?.()
  expect(await next).toBe('third')
})

test('one that cannot be read is its caller’s to hear, and the next is read all the same', async () => {
  const lines = createBodyLines(createBatchTurns().inTurnOfBodies)
  const broken = lines.read('one', LONG, () => {
    throw new Error('broken')
  })
  await expect(broken).rejects.toThrow('broken')
  expect(await lines.read('one', LONG, () => 'next')).toBe('next')
})
