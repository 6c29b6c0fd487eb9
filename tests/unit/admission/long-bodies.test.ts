import { expect, test } from 'vitest'
import { MEMORY } from '#server/admission/limits.ts'
import { createLongWork } from '#server/admission/long-work.ts'
import { NO_RESTS } from './given-queues.ts'

const LONG = MEMORY.smallBody + 1

/** Work whose rests end when the test says so, and the bodies that were read. */
function open() {
  const read: string[] = []
  const rests: (() => void)[] = []
  const { readBody } = createLongWork({
    after: async (_rest, piece) => {
      const result = await piece()
      const { promise, resolve } = Promise.withResolvers<void>()
      rests.push(resolve)
      await promise
      return result
    },
  })
  const take = (sender: string, name: string, bytes = LONG) =>
    readBody(sender, bytes, () => {
      read.push(name)
      return name
    })
  return { read, rests, take }
}

test('short bodies are read at once; long ones one at a time, with rests, and senders take turns', async () => {
  const { read, rests, take } = open()
  const long = [take('one', 'first'), take('one', 'second'), take('two', 'third')]
  expect(await take('one', 'short', MEMORY.smallBody)).toBe('short')
  expect(await long[0]).toBe('first')
  expect(read).toEqual(['short', 'first'])

  rests.shift()?.()
  expect(await long[2]).toBe('third')
  rests.shift()?.()
  expect(await long[1]).toBe('second')
  expect(read).toEqual(['short', 'first', 'third', 'second'])
})

test('an unreadable body fails only for its sender, and the next one is read', async () => {
  const { readBody } = createLongWork(NO_RESTS)
  const broken = readBody('one', LONG, () => {
    throw new Error('broken')
  })
  await expect(broken).rejects.toThrow('broken')
  expect(await readBody('one', LONG, () => 'next')).toBe('next')
})
