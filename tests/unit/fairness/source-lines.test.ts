import { beforeEach, expect, test } from 'vitest'
import { AppError } from '#core/errors.ts'
import { SOURCES } from '#core/fairness/limits.ts'
import { createSourceLines } from '#core/fairness/source-lines.ts'

let at: number
let inLine: ReturnType<typeof createSourceLines>
let begun: string[]
beforeEach(() => {
  at = 0
  inLine = createSourceLines(() => at)
  begun = []
})

/** Leads that are all stored at the same moment; answers how many that may be. */
function post(source: string, leads: number) {
  const { promise, resolve } = Promise.withResolvers<void>()
  const posted = Array.from({ length: leads }, () =>
    inLine(source, async () => {
      begun.push(source)
      await promise
    }),
  )
  return { posted, store: resolve, begun: () => begun.filter((one) => one === source).length }
}

test('with no other source about they come as they come', () => {
  expect(post('one', 1000).begun()).toBe(1000)
})

test('beside another source some are stored at a time, and the others in their order; the other waits for none of them', async () => {
  post('other', 1).store()
  const one = post('one', 100)
  expect(one.begun()).toBe(SOURCES.together)
  expect(post('other', SOURCES.together).begun()).toBe(1 + SOURCES.together)
  one.store()
  await Promise.all(one.posted)
  expect(one.begun()).toBe(100)
})

test('who was not seen for a while is not about', () => {
  post('other', 1)
  at += SOURCES.aboutMs + 1
  post('one', 1)
  expect(post('one', 100).begun()).toBe(101)
})

test('past those that may wait the next is refused, and none of them is', async () => {
  post('other', 1)
  const most = SOURCES.together + SOURCES.longestLine
  const { posted, store } = post('one', most)
  await expect(inLine('one', () => Promise.resolve())).rejects.toThrow(AppError)
  store()
  expect(await Promise.all(posted)).toHaveLength(most)
})
